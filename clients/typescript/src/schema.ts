// Written by "npm run client" from /openapi.json. Changes by hand do not last.

export interface paths {
    "/api/v1/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all platforms, oldest first */
        get: operations["listPlatforms"];
        put?: never;
        /** Create a platform and issue its first tokens */
        post: operations["createPlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the token's platform */
        get: operations["getPlatform"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the limits of the platform, and the usage of all its users together */
        get: operations["getPlatformLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse all tokens of the platform and its users, from the next request on */
        post: operations["suspendPlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the suspension of the platform; its tokens work again */
        post: operations["resumePlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the token's platform with its users' usage */
        get: operations["getPlatformInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all users of the platform, or the one with a platform_user_id; or a page of them */
        get: operations["listUsers"];
        put?: never;
        /** Create a user of the platform and issue the first tokens */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one user of the platform */
        get: operations["getPlatformUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the token's user */
        get: operations["getUser"];
        /** Change the user's storage quota */
        put: operations["updateUser"];
        post?: never;
        /** Permanently delete the user with all folders and images; revokes the user's tokens */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the platform's users with their usage, in pages */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users/{user_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse all tokens of the user, from the next request on */
        post: operations["suspendUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users/{user_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the user's suspension; the tokens work again */
        post: operations["resumeUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users/{user_id}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a user's storage usage and quota (for the platform) */
        get: operations["getPlatformUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the user's storage usage and quota */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all of the user's folders as trees, siblings by title */
        get: operations["listFolders"];
        put?: never;
        /** Create a folder */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/folders/{folder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the contents of a folder, or of the top level (root, or a blank): folders, then images */
        get: operations["folderContents"];
        /** Rename, move, trash or restore a folder */
        put: operations["updateFolder"];
        post?: never;
        /** Permanently delete a folder and everything in it */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List images as a grid, a list, by day, or by distance; or download them as a ZIP */
        get: operations["listImages"];
        put?: never;
        /** Upload an image */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/filedata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload an edited version of an image */
        post: operations["addFiledata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin an upload that resumes where it breaks off (tus 1.0.0) */
        post: operations["createUpload"];
        delete?: never;
        /** Ask which parts of tus, the protocol of uploads that resume, are supported */
        options: operations["describeUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an upload that resumes, with the image that it became or why it was refused */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /** End an upload; an image that it became stays */
        delete: operations["deleteUpload"];
        /** Ask which parts of tus, the protocol of uploads that resume, are supported */
        options: operations["describeUpload"];
        /** Ask where an upload goes on */
        head: operations["getUploadOffset"];
        /** Send bytes of a file; with the last one it is stored, or refused */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the images of the user, by default outside the trash */
        get: operations["countImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one image */
        get: operations["getImage"];
        /** Move, trash, restore, or edit the details of an image */
        put: operations["updateImage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all images of a list as GeoJSON, CSV or lines of JSON, newest first */
        get: operations["exportImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the images of a list by day, all days at once, newest first */
        get: operations["imageDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/choices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the cameras and customs of the newest images, to narrow lists to */
        get: operations["imageChoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the addresses on the map that words are in, those of most images first */
        get: operations["imageAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check which of up to 5,000 files the user has, as uploads or edits */
        post: operations["checkImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the address of a ZIP of images, of a list, or of a folder */
        post: operations["createArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/archive/{archive_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the ZIP of an address */
        get: operations["getArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the address of a PDF or workbook of images with captions, oldest first */
        post: operations["createLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/ledger/{ledger_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the ledger of an address */
        get: operations["getLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Permanently delete what is in the trash, some of it at a time; repeat until nothing is deleted */
        delete: operations["emptyTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/trash/{image_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Permanently delete one image that is in the trash */
        delete: operations["deleteFromTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/upload-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the user's upload sets, newest first */
        get: operations["listUploadSets"];
        put?: never;
        /** Announce files that belong together; the set is complete once all are stored durably */
        post: operations["createUploadSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/upload-sets/{upload_set_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an upload set, with the hashes of the files that are missing */
        get: operations["getUploadSet"];
        put?: never;
        post?: never;
        /** Forget an upload set; images stay as they are */
        delete: operations["deleteUploadSet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the user's links, newest first */
        get: operations["listLinks"];
        put?: never;
        /** Open images to people without an account, or ask them for some */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one link */
        get: operations["getLink"];
        /** Change a link, pause it, or open it again */
        put: operations["updateLink"];
        post?: never;
        /** End a link for good; images stay, also those that arrived through it */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See what a link is for */
        get: operations["visitLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enter the password of a link; the response sets a cookie for it */
        post: operations["enterPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the images that a link shows: of a folder newest first, others as it names them */
        get: operations["listLinkImages"];
        put?: never;
        /** Send an image through a link that asks for some; the same file arrives once */
        post: operations["sendLinkImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the ZIP of such an address */
        get: operations["getLinkArchive"];
        put?: never;
        /** Get the address of a ZIP of all that a link shows, if it allows downloads */
        post: operations["createLinkArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/arrived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask which of the images that one has sent through a link have arrived */
        get: operations["listArrivedImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin an upload that resumes where it breaks off (tus 1.0.0) */
        post: operations["createLinkUpload"];
        delete?: never;
        /** Ask which parts of tus, the protocol of uploads that resume, are supported */
        options: operations["describeLinkUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{secret}/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End an upload; an image that it became stays */
        delete: operations["deleteLinkUpload"];
        /** Ask which parts of tus, the protocol of uploads that resume, are supported */
        options: operations["describeLinkUpload"];
        /** Ask where an upload goes on */
        head: operations["getLinkUploadOffset"];
        /** Send bytes of a file; with the last one it is stored, or refused */
        patch: operations["appendToLinkUpload"];
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Share up to 1,000 images, all or none */
        post: operations["shareImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change up to 1,000 images in one transaction, all or none */
        post: operations["changeImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List images around a point, images at a location, or the locations; by index */
        get: operations["groupImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/group/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List images around a point, images at a location, or the locations; by page number */
        get: operations["groupImagesPaged"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/map/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a Mapbox vector tile of the images of the user: clusters, or single images */
        get: operations["getMapTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/map/tilejson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a TileJSON of the map of the user, with a signed URL of its tiles */
        get: operations["getMapTileJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/map/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the clusters of images of the user in an area as GeoJSON, 2,000 at most */
        get: operations["getMapClusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/map/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a Mapbox vector tile of the images of all users of the platform: clusters, or single images */
        get: operations["getPlatformMapTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/map/tilejson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a TileJSON of the map of all users of the platform, with a signed URL of its tiles */
        get: operations["getPlatformMapTileJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/map/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the clusters of images of all users of the platform in an area as GeoJSON, 2,000 at most */
        get: operations["getPlatformMapClusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List images of all users of the platform, trash included, grouped by user */
        get: operations["listPlatformImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/users/{user_id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List images of one user of the platform, trash included, newest first */
        get: operations["listPlatformUserImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/memos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an image with its memos, oldest first */
        get: operations["listMemos"];
        put?: never;
        /** Add a memo to an image */
        post: operations["createMemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/memos/{memo_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a memo */
        put: operations["updateMemo"];
        post?: never;
        /** Permanently delete a memo */
        delete: operations["deleteMemo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/customs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an image's customs, oldest first */
        get: operations["listCustoms"];
        put?: never;
        /** Add a custom (key/value pair) to an image */
        post: operations["createCustom"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/customs/{custom_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a custom */
        put: operations["updateCustom"];
        post?: never;
        /** Permanently delete a custom */
        delete: operations["deleteCustom"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes of the user's records, in order; as events if the client accepts them */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all folders and images of the user as of one entry of the changes, as JSON lines */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes of all users of the platform; as events if the client accepts them */
        get: operations["listPlatformChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of the platform, oldest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Send all future changes of the platform's users to a URL */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one webhook */
        get: operations["getWebhook"];
        /** Change the URL, types or description of a webhook */
        put: operations["updateWebhook"];
        post?: never;
        /** Delete a webhook; undelivered events are dropped */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the latest attempts to deliver, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret; the previous one also signs for another 24 hours */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a webhook; events are delivered after it is resumed */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a paused webhook where it stopped */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the platform's holds, ended ones included, newest first */
        get: operations["listHolds"];
        put?: never;
        /** Keep images, a folder, or a user: nothing of it is deleted for good while this lasts */
        post: operations["createHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/holds/{hold_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one hold */
        get: operations["getHold"];
        put?: never;
        post?: never;
        /** End a hold; the days in the trash of what it kept begin anew */
        delete: operations["releaseHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/images/{image_id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the proof of what has happened to an image, for others to check */
        get: operations["getProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/{platform_id}/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the newest checkpoint of the platform's log */
        get: operations["getLogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/{platform_id}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the key that verifies the checkpoints of the platform's log */
        get: operations["getLogKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/{platform_id}/tile/{level}/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get hashes or entries of the platform's log */
        get: operations["getLogTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the narrow tokens of the user that have not ended, newest first */
        get: operations["listTokens"];
        put?: never;
        /** Make a narrow token of the user, which can do no more than it says; shown once */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one narrow token of the user */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /** Revoke a narrow token of the user, from the next request on */
        delete: operations["deleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the narrow tokens of the platform that have not ended, newest first */
        get: operations["listPlatformTokens"];
        put?: never;
        /** Make a narrow token of the platform, which can do no more than it says; shown once */
        post: operations["createPlatformToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one narrow token of the platform */
        get: operations["getPlatformToken"];
        put?: never;
        post?: never;
        /** Revoke a narrow token of the platform, from the next request on */
        delete: operations["deletePlatformToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the platform's identity provider */
        get: operations["getIdentity"];
        /** Let users sign in with tokens of the platform's own identity provider */
        put: operations["setIdentity"];
        post?: never;
        /** Refuse tokens of the platform's identity provider, from the next request on */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/platforms/{platform_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of the platform for each day of a range, days without activity included */
        get: operations["getDailyStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/platforms/{platform_id}/stats/total": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of the platform since the beginning */
        get: operations["getTotalStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of all platforms, or one: for each day of a range, in total, and by platform */
        get: operations["getAllStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a refresh token, which works once, for a new pair of tokens; a repeat of the request gets the same refresh token */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange the one-time code of a link to the console for a token */
        post: operations["exchangeConsoleCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a new token for the cookie of a user who stays signed in */
        post: operations["renewConsoleSession"];
        /** End the session of the token, from the next request on */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link that signs the user in to the console, once within ten minutes */
        post: operations["createSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the devices on which the user stays signed in, the last used first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** Sign the user out on all devices */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign the user out on one device, from the next request on */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of the installation; at most five seconds old */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what, newest first: acts, and changes of the records of a platform or user */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms/{platform_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what to the platform and its users, newest first */
        get: operations["readPlatformAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreatedPlatform: {
            /** Format: uuid */
            id: string;
            platform: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            /** @description null for a narrow token */
            access_token: string | null;
            /** @description null for a narrow token */
            refresh_token: string | null;
            /** @constant */
            token_type: "bearer";
        };
        ListedPlatform: {
            /** Format: uuid */
            id: string;
            platform: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            user_count: number;
            /**
             * @description since when; only while it is suspended
             * @example 20250131_235959
             */
            suspended_at?: string;
            /** @description trash included */
            image_count: number;
            /** @description originals, edits, and the text of memos and customs, trash included */
            used_storage_mb: number;
            /** @description null: never */
            last_upload_at: string | null;
        };
        Platform: {
            /** Format: uuid */
            id: string;
            platform: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            user_count: number;
            /**
             * @description since when; only while it is suspended
             * @example 20250131_235959
             */
            suspended_at?: string;
        };
        PlatformLimits: {
            suspended_at: string | null;
            /** @description null: no limit */
            max_storage_mb: number | null;
            max_images: number | null;
            max_users: number | null;
            /** @description originals, edits, and the text of memos and customs, trash included */
            used_storage_mb: number;
            /** @description trash included */
            image_count: number;
            user_count: number;
        };
        PlatformInfo: {
            /** Format: uuid */
            id: string;
            platform: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            user_count: number;
            /**
             * @description since when; only while it is suspended
             * @example 20250131_235959
             */
            suspended_at?: string;
            /** @description images outside the trash */
            image_count: number;
            /** @description current versions of images outside the trash */
            part_total_filesize_mb: number;
            /** @description originals, edits, and the text of memos and customs, trash included */
            total_filesize_mb: number;
        };
        CreatedUser: {
            /** Format: uuid */
            user_id: string;
            /** Format: uuid */
            platform_id: string;
            platform_user_id: string;
            /** @description null for a narrow token */
            access_token: string | null;
            /** @description null for a narrow token */
            refresh_token: string | null;
            /** @constant */
            token_type: "bearer";
        };
        ListedUser: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            platform_id: string;
            platform_user_id: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @description present only when the list is filtered by platform_user_id; null for a narrow token */
            access_token?: string | null;
        };
        UserPage: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            items: components["schemas"]["ListedUser"][];
        };
        User: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            platform_id: string;
            platform_user_id: string;
            /** @example 20250131_235959 */
            created_at: string;
        };
        AccountList: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            items: components["schemas"]["Account"][];
        };
        Account: {
            /** Format: uuid */
            id: string;
            platform_user_id: string;
            /** @example 20250131_235959 */
            created_at: string;
            suspended_at: string | null;
            /** @description images outside the trash */
            image_count: number;
            trash_image_count: number;
            /** @description originals, edits, and the text of memos and customs, trash included */
            used_storage_mb: number;
            /** @description megabytes of 1,048,576 bytes */
            max_storage_mb: number;
            /** @description when the newest image was made, trash included; null: none */
            last_upload_at: string | null;
        };
        UserState: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            platform_id: string;
            platform_user_id: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @description null: not suspended */
            suspended_at: string | null;
        };
        UserInfo: {
            /** @description images outside the trash */
            image_count: number;
            /** @description megabytes of 1,048,576 bytes */
            max_storage_mb: number;
            /** @description originals, edits, and the text of memos and customs, trash included */
            used_storage_mb: number;
            trash_image_count: number;
        };
        UpdatedUser: {
            /** Format: uuid */
            id: string;
            /** @description images outside the trash */
            image_count: number;
            /** @description megabytes of 1,048,576 bytes */
            max_storage_mb: number;
            /** @description originals, edits, and the text of memos and customs, trash included */
            used_storage_mb: number;
            trash_image_count: number;
        };
        DeletedUser: {
            /** Format: uuid */
            user_id: string;
            deleted_folders: number;
            deleted_images: number;
            /**
             * @description the change has begun and will be carried to its end; images follow
             * @constant
             */
            in_progress?: true;
        };
        Folder: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            title: string;
            parent_id: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            delete_at: string | null;
        };
        FolderTree: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            title: string;
            parent_id: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            delete_at: string | null;
            /** @description with_counts: images in it */
            image_count?: number;
            /** @description with_counts: images in it and below */
            image_count_below?: number;
            /** @description with_counts: of these; created_at without one */
            first_taken_at?: string | null;
            /** @description with_counts: of these; created_at without one */
            last_taken_at?: string | null;
            /** @description with_counts: thumb_url of the newest of these, up to four */
            cover?: string[];
            child_folders: components["schemas"]["FolderTree"][];
        };
        FolderContents: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            current_path: string;
            current_path_id: string;
            items: (components["schemas"]["FolderEntry"] | components["schemas"]["ImageEntry"])[];
        };
        FolderEntry: {
            /** @constant */
            is_folder: true;
            data: components["schemas"]["Folder"];
        };
        ImageEntry: {
            /** @constant */
            is_folder: false;
            data: components["schemas"]["Image"];
        };
        Image: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            folder_id: string | null;
            filename: string;
            /** @description null for a narrow token without `read` */
            path_url: string | null;
            /** @description null for a narrow token without `read` */
            org_path_url: string | null;
            /** @description sent as latitude (or lat) */
            lat: number | null;
            /** @description sent as longitude (or lng) */
            lng: number | null;
            address_road: string | null;
            address_land: string | null;
            address_land_number: string | null;
            building_name: string | null;
            address_sort: string | null;
            address_det: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            delete_at: string | null;
            filedata_total: number;
            is_signed: boolean;
            is_shared: boolean;
            has_det: boolean | null;
            image_resource_type: string;
            resolution: string;
            /** @description megabytes of 1,048,576 bytes */
            filesize_mb: number;
            /** @description megabytes of 1,048,576 bytes */
            image_filesize_mb: number;
            memos: components["schemas"]["Memo"][] | null;
            customs: components["schemas"]["Custom"][] | null;
            filedatas: components["schemas"]["Filedata"][] | null;
            /** @description null for a narrow token without `read` */
            thumb_url: string | null;
            /** @description ThumbHash in base64 */
            thumbhash: string;
            /** @description SHA-256 of the current version, hexadecimal */
            hashdata: string;
            taken_at: string | null;
            /** @description true if the image is cut off: at least half of its rows are present, but not all */
            is_incomplete: boolean;
            /** @description the upload set that the image was uploaded to */
            upload_set_id: string | null;
            /** @description name that the file was uploaded with */
            original_name: string | null;
            /** @description degrees from north, 0 to less than 360 */
            direction: number | null;
            /** @description meters above sea level */
            altitude_m: number | null;
            /** @description meters by which the location may be off */
            accuracy_m: number | null;
            /** @description make and model */
            camera: string | null;
            /** @description meters from the given point; present only if a point was given */
            distance_m?: number;
            /** @description the whole picture as any browser shows it, which may be made on the first request; absent in lists */
            full_url?: string | null;
        };
        Memo: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            image_id: string;
            message: string;
            is_client: boolean;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
        };
        Custom: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            image_id: string;
            key: string;
            value: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
        };
        Filedata: {
            /** Format: uuid */
            original_image_id: string;
            /** Format: uuid */
            id: string;
            /** @description null for a narrow token without `read` */
            path_url: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            hashdata: string;
            /** @description megabytes of 1,048,576 bytes */
            filesize_mb: number;
            image_resource_type: string;
            resolution: string;
            /** @description true if the image is cut off: at least half of its rows are present, but not all */
            is_incomplete: boolean;
            /** @description name that the file of this version came with */
            original_name: string | null;
            /** @description the whole picture as any browser shows it, which may be made on the first request; absent in lists */
            full_url?: string | null;
        };
        ChangedFolder: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            title: string;
            parent_id: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            delete_at: string | null;
            /**
             * @description the change has begun and will be carried to its end; images follow
             * @constant
             */
            in_progress?: true;
        };
        DeletedFolders: {
            deleted_folders: string[];
            deleted_images: string[];
            /**
             * @description the change has begun and will be carried to its end; images follow
             * @constant
             */
            in_progress?: true;
        };
        Upload: {
            /** Format: uuid */
            id: string;
            /**
             * @description processing: all bytes are there, and become an image or are refused
             * @enum {string}
             */
            state: "receiving" | "processing" | "stored" | "refused";
            /** @description bytes of the file that are stored durably */
            offset: number;
            /** @description bytes of the file */
            length: number;
            /**
             * @description when an unfinished upload is deleted, or a finished one is forgotten
             * @example 20250131_235959
             */
            expires_at: string;
            /** @description what it was stored as; absent once the image has been deleted */
            image?: components["schemas"]["Image"];
            /** @description why it was refused, as in the envelope */
            error?: {
                code: string;
                message: string;
                field?: string;
            };
        };
        ImageCount: {
            count: number;
        };
        ImageList: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            /**
             * @description false: there is at least as much; omitted if totals are exact
             * @constant
             */
            total_is_exact?: false;
            items: components["schemas"]["Image"][];
        };
        ImageDays: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            /**
             * @description false: there is at least as much; omitted if totals are exact
             * @constant
             */
            total_is_exact?: false;
            total_images: number;
            items: components["schemas"]["ImageDay"][];
        };
        ImageDay: {
            /** @description YYYYMMDD */
            date: number;
            /** @description images of that day in this response */
            count: number;
            images: components["schemas"]["Image"][];
        };
        CountedDays: {
            days: components["schemas"]["CountedDay"][];
            total_count: number;
        };
        CountedDay: {
            /** @description YYYYMMDD */
            date: number;
            count: number;
        };
        ImageChoices: {
            cameras: {
                camera: string;
                /** @description how many of the newest images have it */
                images: number;
            }[];
            customs: {
                key: string;
                /** @description how many of the newest images have it */
                images: number;
                /** @description the 10 most frequent, of up to 255 characters */
                values: string[];
            }[];
        };
        ImageAddresses: {
            addresses: components["schemas"]["ImageAddress"][];
            /** @description false: the words are in more than 20,000 images, of which so many were compared */
            is_exact: boolean;
        };
        ImageAddress: {
            /** @description road address, else that of the lot */
            address: string | null;
            building_name: string | null;
            count: number;
            /** @description of the newest of them */
            latitude: number;
            longitude: number;
        };
        Archive: {
            /** @description needs no header; until `expires_at` */
            url: string;
            /** @description images in the ZIP, if it were downloaded now */
            count: number;
            /** @description its length, if it were downloaded now */
            bytes: number;
            /** @example 20250131_235959 */
            expires_at: string;
        };
        /** @enum {string} */
        CaptionField: "number" | "original_name" | "taken_at" | "address" | "place" | "direction" | "memos" | "client_memos" | "customs";
        Ledger: {
            /** @description needs no header; until `expires_at` */
            url: string;
            /** @description images in it, if it were downloaded now */
            count: number;
            /** @description with the title page, as a PDF */
            pages: number;
            /** @example 20250131_235959 */
            expires_at: string;
        };
        EmptiedTrash: {
            deleted_images: number;
            deleted_folders: number;
            /** @description images still in the trash */
            remaining_images: number;
            remaining_folders: number;
            /** @description holds that kept something in the trash */
            hold_ids: string[];
        };
        UploadSet: {
            /** Format: uuid */
            id: string;
            title: string | null;
            folder_id: string | null;
            /** @enum {string} */
            state: "open" | "complete";
            /** @description number of different files */
            expected: number;
            /** @description how many of them are stored durably */
            arrived: number;
            /** @example 20250131_235959 */
            created_at: string;
            completed_at: string | null;
        };
        UploadSetList: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            items: components["schemas"]["UploadSet"][];
        };
        UploadSetDetails: {
            /** Format: uuid */
            id: string;
            title: string | null;
            folder_id: string | null;
            /** @enum {string} */
            state: "open" | "complete";
            /** @description number of different files */
            expected: number;
            /** @description how many of them are stored durably */
            arrived: number;
            /** @description in the order of the request that created the set */
            missing: string[];
            /** @example 20250131_235959 */
            created_at: string;
            completed_at: string | null;
        };
        Link: {
            /** Format: uuid */
            id: string;
            /** @description null where the token may not have it, and of links that an earlier release made */
            url: string | null;
            /** @enum {string} */
            kind: "view" | "request";
            folder_id: string | null;
            image_ids: string[] | null;
            title: string | null;
            message: string | null;
            has_password: boolean;
            allow_download: boolean;
            show_place: boolean;
            /** @enum {string} */
            state: "active" | "paused" | "expired";
            /** @example 20250131_235959 */
            expires_at: string;
            /** @description how often its page was opened */
            visits: number;
            last_visit_at: string | null;
            /** @description files that visitors have sent, whatever became of them */
            arrivals: number;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
        };
        LinkList: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            items: components["schemas"]["Link"][];
        };
        VisitedLink: {
            /** @description true: nothing else is told before the password has been entered */
            needs_password: boolean;
            link: {
                /** @enum {string} */
                kind: "view" | "request";
                title: string | null;
                message: string | null;
                allow_download: boolean;
                show_place: boolean;
            } | null;
        };
        LinkPictures: {
            images: components["schemas"]["LinkPicture"][];
            /** @description `cursor` of the next page, if any */
            next: string | null;
        };
        LinkPicture: {
            /** @description for this link alone */
            id: string;
            /** @example 20250131_235959 */
            created_at: string;
            taken_at: string | null;
            width: number;
            height: number;
            /** @description placeholder, in base64 */
            thumbhash: string;
            /** @description relative to /s/{secret}/; valid for at most five minutes */
            thumb_url: string;
            /** @description relative to /s/{secret}/; valid for at most five minutes */
            display_url: string;
            /** @description relative to /s/{secret}/; valid for at most five minutes */
            download_url?: string;
            place?: {
                latitude: number | null;
                longitude: number | null;
                address_road: string | null;
                address_land: string | null;
                address_land_number: string | null;
                building_name: string | null;
            };
        };
        BatchResult: {
            count: number;
            changed: string[];
            unchanged: string[];
            images?: components["schemas"]["Image"][];
        };
        ImageGroup: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            items: components["schemas"]["Image"][] | components["schemas"]["Place"][];
        };
        Place: {
            latitude: number;
            longitude: number;
            address_road: string | null;
            address_land: string | null;
            building_name: string | null;
            count: number;
            /** @example 20250131_235959 */
            latest_created_at: string;
            image: components["schemas"]["Image"];
        };
        PagedImageGroup: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description null in responses to a cursor */
            page: number | null;
            total_pages: number;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            items: components["schemas"]["Image"][] | components["schemas"]["Place"][];
        };
        TileJson: {
            /** @constant */
            tilejson: "3.0.0";
            name: string;
            tiles: string[];
            vector_layers: {
                id: string;
                description: string;
                minzoom: number;
                maxzoom: number;
                fields: {
                    [key: string]: string;
                };
            }[];
            /** @constant */
            scheme: "xyz";
            minzoom: number;
            maxzoom: number;
            bounds: number[];
        };
        MapClusters: {
            /** @constant */
            type: "FeatureCollection";
            features: {
                /** @constant */
                type: "Feature";
                geometry: {
                    /** @constant */
                    type: "Point";
                    /** @description longitude and latitude of the newest image, to a meter */
                    coordinates: number[];
                };
                properties: {
                    count: number;
                    /**
                     * Format: uuid
                     * @description the newest image
                     */
                    image_id: string;
                    /** @description YYYYMMDD */
                    latest_created_at: number;
                    /**
                     * @description present if only the newest images were counted
                     * @constant
                     */
                    count_is_exact?: false;
                    /**
                     * Format: uuid
                     * @description only in the map of a platform
                     */
                    user_id?: string;
                };
            }[];
        };
        PlatformImages: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description null in responses to a cursor */
            page: number | null;
            total_pages: number;
            items: components["schemas"]["ImagesOfUser"][];
        };
        ImagesOfUser: {
            /** Format: uuid */
            user_id: string;
            result: components["schemas"]["Image"][];
        };
        PlatformUserImages: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description null in responses to a cursor */
            page: number | null;
            total_pages: number;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
            items: components["schemas"]["Image"][];
        };
        Changes: {
            changes: components["schemas"]["Change"][];
            last: number;
            /** @description whether there already are entries after `last` */
            more: boolean;
        };
        Change: {
            /** @description number in the user's sequence, which has no gaps */
            seq: number;
            /** @example 20250131_235959 */
            at: string;
            /** @enum {string} */
            type: "image" | "version" | "folder" | "memo" | "custom" | "upload_set" | "user" | "link";
            /**
             * Format: uuid
             * @description id of the changed record
             */
            id: string;
            /** @enum {string} */
            action: "created" | "updated" | "moved" | "restored" | "trashed" | "deleted";
            /**
             * Format: uuid
             * @description the image of a version, memo or custom
             */
            image_id?: string;
            /** @enum {string} */
            actor: "user" | "platform" | "admin" | "system";
            token?: components["schemas"]["TokenUsed"];
        };
        /** @description the narrow token, or the session of a person, with which it was done */
        TokenUsed: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description the first line of the stream */
        Snapshot: {
            last: number;
        };
        PlatformChanges: {
            changes: components["schemas"]["PlatformChange"][];
            last: string;
            /** @description whether there already are entries after `last` */
            more: boolean;
        };
        PlatformChange: {
            /** Format: uuid */
            user_id: string;
            /** @description number in the user's sequence, which has no gaps */
            seq: number;
            /** @example 20250131_235959 */
            at: string;
            /** @enum {string} */
            type: "image" | "version" | "folder" | "memo" | "custom" | "upload_set" | "user" | "link";
            /**
             * Format: uuid
             * @description id of the changed record
             */
            id: string;
            /** @enum {string} */
            action: "created" | "updated" | "moved" | "restored" | "trashed" | "deleted";
            /**
             * Format: uuid
             * @description the image of a version, memo or custom
             */
            image_id?: string;
            /** @enum {string} */
            actor: "user" | "platform" | "admin" | "system";
            token?: components["schemas"]["TokenUsed"];
        };
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            types: string[];
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused";
            paused_reason: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            made_with: components["schemas"]["TokenUsed"] | null;
            /** @description signs the messages; shown only once */
            secret: string;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            types: string[];
            description: string | null;
            /** @enum {string} */
            state: "active" | "paused";
            paused_reason: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
            made_with: components["schemas"]["TokenUsed"] | null;
        };
        WebhookDelivery: {
            /** @example 20250131_235959 */
            at: string;
            message_id: string;
            /** @example image.created */
            type: string;
            /**
             * Format: uuid
             * @description of `checkpoint.created`, the id of the platform
             */
            user_id: string;
            /** @description number of the entry in the user's sequence */
            seq: number;
            /** @description 1 for the first attempt to deliver the entry */
            attempt: number;
            /** @description of the response; null: there was none */
            status: number | null;
            error: string | null;
            ms: number;
            /** @description when it is attempted again; null: it has arrived, or is paused */
            next_at: string | null;
        };
        Hold: {
            /** Format: uuid */
            id: string;
            reason: string;
            until: string | null;
            image_ids: string[] | null;
            folder_id: string | null;
            user_id: string | null;
            /** @example 20250131_235959 */
            created_at: string;
            /**
             * @description what an administrator holds, only an administrator releases
             * @enum {string}
             */
            created_by: "platform" | "admin";
            released_at: string | null;
        };
        HoldList: {
            /** @description items in this response */
            count: number;
            total_count: number;
            /** @description for the next page; null at the end */
            next_cursor: string | null;
            page_size: number;
            /** @description index to request next; null in responses to a cursor */
            last_index: number | null;
            items: components["schemas"]["Hold"][];
        };
        CreatedNarrowToken: {
            /** Format: uuid */
            id: string;
            name: string;
            allow: string[];
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            expires_at: string;
            /** @description to the hour; null: never */
            last_used_at: string | null;
            /** @enum {string} */
            created_by: "user" | "platform" | "admin";
            /** @description the token itself; shown only once */
            access_token: string;
        };
        NarrowToken: {
            /** Format: uuid */
            id: string;
            name: string;
            allow: string[];
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            expires_at: string;
            /** @description to the hour; null: never */
            last_used_at: string | null;
            /** @enum {string} */
            created_by: "user" | "platform" | "admin";
        };
        Identity: {
            issuer: string;
            audience: string;
            jwks_url: string | null;
            /** @description the usable keys of the key set that was given */
            jwks: {
                keys: {
                    [key: string]: unknown;
                }[];
            } | null;
            user_claim: string;
            create_users: boolean;
            allow: string[];
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            updated_at: string;
        };
        DayStatistics: {
            /**
             * @description YYYYMMDD
             * @example 20250131
             */
            date: number;
            stats: components["schemas"]["Statistics"];
        };
        Statistics: {
            upload_camera: number;
            upload_gallery: number;
            upload_request: number;
            total_upload: number;
            edit_count: number;
            /** @description images moved to the trash, or permanently deleted without going through it */
            delete_count: number;
            /** @description images not in the trash */
            total_images: number;
            /** @description megabytes of 1,048,576 bytes */
            org_filesize_mb: number;
            /** @description megabytes of 1,048,576 bytes */
            org_latest_filesize_mb: number;
            /** @description megabytes of 1,048,576 bytes */
            total_filesize_mb: number;
        };
        AllStatistics: {
            days: components["schemas"]["DayStatistics"][];
            /** @description counts since the beginning; current states */
            total: components["schemas"]["Statistics"];
            /** @description counts in the range; states at its end; the 1,000 platforms that store most */
            platforms: {
                /** Format: uuid */
                platform_id: string;
                platform: string;
                stats: components["schemas"]["Statistics"];
            }[];
        };
        Tokens: {
            /** @description null for a narrow token */
            access_token: string | null;
            /** @description null for a narrow token */
            refresh_token: string | null;
            /** @constant */
            token_type: "bearer";
        };
        ConsoleSession: {
            access_token?: string;
            /** @description seconds */
            expires_in?: number;
            /** @description in place of a token: those to choose from; the code still works */
            platforms?: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** @example 20250131_235959 */
            created_at: string;
            /** @example 20250131_235959 */
            last_used_at: string;
            /** @description browser and system, such as "Firefox on Linux" */
            device: string;
        };
        SignInLink: {
            /** @description opens a page with a button, which signs in once */
            url: string;
            /** @example 20250131_235959 */
            expires_at: string;
        };
        Status: {
            /** @example 20250131_235959 */
            now: string;
            version: string;
            /** @description of the node that answers */
            uptime_seconds: number;
            time_zone: string;
            /** @description as /readyz of this node reports */
            parts: {
                [key: string]: "ok" | "down";
            };
            database: {
                /** @enum {string} */
                kind: "external" | "private";
                version: string;
            };
            /** @enum {string} */
            store: "local" | "s3";
            /** @description of the home of this node */
            disk: {
                /** @description megabytes of 1,048,576 bytes */
                free_mb: number;
                /** @description megabytes of 1,048,576 bytes */
                total_mb: number;
            };
            /** @description that are connected to the database */
            machines: {
                address: string | null;
                connections: number;
                /** @example 20250131_235959 */
                since: string;
            }[];
            totals: {
                platforms: number;
                users: number;
                images: number;
                /** @description megabytes of 1,048,576 bytes */
                stored_mb: number;
            };
            /** @description those that store most */
            platforms: {
                platform_id: string | null;
                /** @description null: all others together */
                platform: string | null;
                platforms: number;
                images: number;
                /** @description megabytes of 1,048,576 bytes */
                stored_mb: number;
            }[];
            /** @description the last 30, oldest first */
            days: {
                /**
                 * @description YYYYMMDD
                 * @example 20250131
                 */
                date: number;
                uploads: number;
                /** @description megabytes of 1,048,576 bytes */
                grown_mb: number;
            }[];
            /** @description users whose quota is used up; those who are most beyond it */
            over_quota: {
                count: number;
                users: {
                    /** Format: uuid */
                    platform_id: string;
                    platform: string;
                    /** Format: uuid */
                    user_id: string;
                    platform_user_id: string;
                    /** @description megabytes of 1,048,576 bytes */
                    used_storage_mb: number;
                    /** @description megabytes of 1,048,576 bytes */
                    max_storage_mb: number;
                }[];
            };
            reclaim: {
                pending: number;
                due: number;
                /** @description that could not be deleted so far */
                failing: number;
                oldest: string | null;
            };
            /** @description since when maintenance has refused changes */
            read_only_since: string | null;
            webhooks: {
                active: number;
                paused: number;
            };
            /** @description objects known to be wrong */
            differences: number;
            verified_at: string | null;
            /** @description the last run of each that has ended */
            jobs: {
                job: string;
                /** @example 20250131_235959 */
                ended_at: string;
                ms: number;
                error: string | null;
            }[];
            /** @description made from the home of this node */
            backup: {
                /** @example 20250131_235959 */
                at: string;
                repository: string;
                objects: number;
                /** @description megabytes of 1,048,576 bytes */
                megabytes: number;
                /** @description when a drill last proved a backup */
                proved_at: string | null;
            } | null;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            last: string;
            /** @description whether there may be older entries; a page that few entries pass ends early, even empty */
            more: boolean;
        };
        AuditEntry: {
            /** @example 20250131_235959 */
            at: string;
            /** @example user.suspend */
            act: string;
            /** @description one of operator, admin, platform, user, system */
            actor: string;
            /** @description user of the operating system, from the terminal */
            operator: string | null;
            token_id: string | null;
            token: components["schemas"]["TokenUsed"] | null;
            platform_id: string | null;
            /** @description its name; null if it is gone */
            platform: string | null;
            user_id: string | null;
            platform_user_id: string | null;
            details: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @description - `malformed_request` (400): The request is not well-formed HTTP.
         *     - `missing_field` (400): A required field is missing.
         *     - `invalid_field` (400): A field has an invalid value.
         *     - `invalid_cursor` (400): The paging position is invalid.
         *     - `platform_exists` (400): A platform with this name already exists.
         *     - `platform_not_found` (400): No such platform.
         *     - `user_exists` (400): The platform already has a user with this platform_user_id.
         *     - `user_not_found` (400): No such user.
         *     - `folder_not_found` (400): No such folder.
         *     - `folder_exists` (400): A folder with this title already exists here.
         *     - `folder_cycle` (400): A folder cannot be moved into itself or one of its subfolders.
         *     - `folder_too_deep` (400): Folders cannot be nested deeper than 64 levels.
         *     - `folder_in_trash` (400): The folder is in the trash.
         *     - `image_not_found` (400): No such image.
         *     - `image_in_trash` (400): The image is in the trash; restore it first.
         *     - `image_not_in_trash` (400): The image is not in the trash; move it there first.
         *     - `memo_not_found` (400): The image has no such memo.
         *     - `custom_not_found` (400): The image has no such custom.
         *     - `custom_ambiguous` (400): The image has several customs with this key; change the one by its id.
         *     - `upload_set_not_found` (400): No such upload set.
         *     - `too_many_images` (400): The user has too many images; delete some for good.
         *     - `too_many_files` (400): The form has more than one file.
         *     - `too_many_folders` (400): The user has too many folders; delete some for good.
         *     - `too_many_upload_sets` (400): The user has too many upload sets; delete some that are complete or given up.
         *     - `too_many_archives` (400): The user has too many open addresses of archives and ledgers; use one, or wait until it expires.
         *     - `hold_not_found` (400): The platform has no such hold.
         *     - `link_not_found` (400): The user has no such link.
         *     - `too_many_links` (400): The user already has the maximum number of links; delete some.
         *     - `too_many_open_uploads` (400): The user has too many unfinished uploads; finish or delete some.
         *     - `not_expected` (400): The upload set does not expect this file.
         *     - `hash_mismatch` (400): The file that arrived is not the one that was meant.
         *     - `unsupported_image` (400): The file is not an image of a supported format (JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC).
         *     - `image_too_large` (400): The image has more pixels than this server accepts.
         *     - `image_too_complex` (400): The image requires more work to decode than this server allows.
         *     - `corrupt_image` (400): The image cannot be decoded: its data is damaged or most of it is missing.
         *     - `identity_not_found` (400): The platform has no identity provider.
         *     - `token_not_found` (400): There is no such token, or it has ended.
         *     - `session_not_found` (400): There is no such session, or it has ended.
         *     - `too_many_tokens` (400): The owner already has the maximum number of narrow tokens; delete some.
         *     - `webhook_not_found` (400): The platform has no such webhook.
         *     - `too_many_webhooks` (400): The platform already has the maximum number of webhooks.
         *     - `too_many_memos` (400): The image already has the maximum number of memos.
         *     - `too_many_customs` (400): The image already has the maximum number of customs.
         *     - `too_much_text` (400): The memos and customs of the image would exceed the text limit.
         *     - `storage_quota_exceeded` (400): The user's storage quota is exceeded.
         *     - `platform_limit_exceeded` (400): A limit of the platform is exceeded.
         *     - `upload_interrupted` (400): Upload interrupted.
         *     - `unauthorized` (401): A valid token is required.
         *     - `token_expired` (401): The token has expired.
         *     - `token_revoked` (401): The token has been revoked.
         *     - `forbidden` (403): The token does not grant access to this resource.
         *     - `not_allowed` (403): The token does not allow this; details.needs says what it takes.
         *     - `platform_suspended` (403): The platform is suspended.
         *     - `user_suspended` (403): The user is suspended.
         *     - `password_required` (403): The link opens only with its password.
         *     - `not_found` (404): No such route.
         *     - `upload_not_found` (404): No such upload.
         *     - `method_not_allowed` (405): This route does not support the method.
         *     - `request_timeout` (408): The request did not arrive in time.
         *     - `request_in_progress` (409): A request with this Idempotency-Key is still in progress; repeat this one later.
         *     - `issuer_taken` (409): Another platform has this issuer with this audience; use another audience.
         *     - `held` (409): A hold keeps this, or something of it, from being deleted.
         *     - `wrong_offset` (409): The upload continues at another offset; ask for it with HEAD.
         *     - `feed_expired` (410): Changes that old are no longer kept; read a snapshot, then continue after it.
         *     - `link_ended` (410): The link is no longer open.
         *     - `upload_ended` (410): The upload has expired or was deleted; begin a new one.
         *     - `precondition_failed` (412): What If-Match or If-Unmodified-Since demands is not so.
         *     - `unsupported_version` (412): Send "Tus-Resumable: 1.0.0", the only version of the protocol that is supported.
         *     - `upload_too_large` (413): The request body is larger than this server accepts.
         *     - `unsupported_media_type` (415): The media type of the request body is not supported.
         *     - `range_not_satisfiable` (416): The requested range is outside the file.
         *     - `expectation_failed` (417): The expectation in the Expect header is not supported.
         *     - `idempotency_key_reused` (422): This Idempotency-Key belongs to another request; use a new one for each.
         *     - `upload_locked` (423): Another request is writing to the upload; try again.
         *     - `rate_limited` (429): Too many requests; try again later.
         *     - `headers_too_large` (431): The headers are larger than this server accepts.
         *     - `checksum_mismatch` (460): What arrived differs from its Upload-Checksum; send it again.
         *     - `internal_error` (500): Internal server error.
         *     - `maintenance` (503): The service is being maintained and takes no changes; reading works.
         *     - `unavailable` (503): The service is temporarily unavailable; try again later.
         * @enum {string}
         */
        ErrorCode: "malformed_request" | "missing_field" | "invalid_field" | "invalid_cursor" | "platform_exists" | "platform_not_found" | "user_exists" | "user_not_found" | "folder_not_found" | "folder_exists" | "folder_cycle" | "folder_too_deep" | "folder_in_trash" | "image_not_found" | "image_in_trash" | "image_not_in_trash" | "memo_not_found" | "custom_not_found" | "custom_ambiguous" | "upload_set_not_found" | "too_many_images" | "too_many_files" | "too_many_folders" | "too_many_upload_sets" | "too_many_archives" | "hold_not_found" | "link_not_found" | "too_many_links" | "too_many_open_uploads" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "identity_not_found" | "token_not_found" | "session_not_found" | "too_many_tokens" | "webhook_not_found" | "too_many_webhooks" | "too_many_memos" | "too_many_customs" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted" | "unauthorized" | "token_expired" | "token_revoked" | "forbidden" | "not_allowed" | "platform_suspended" | "user_suspended" | "password_required" | "not_found" | "upload_not_found" | "method_not_allowed" | "request_timeout" | "request_in_progress" | "issuer_taken" | "held" | "wrong_offset" | "feed_expired" | "link_ended" | "upload_ended" | "precondition_failed" | "unsupported_version" | "upload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "expectation_failed" | "idempotency_key_reused" | "upload_locked" | "rate_limited" | "headers_too_large" | "checksum_mismatch" | "internal_error" | "maintenance" | "unavailable";
        Error: {
            /** @description equals the HTTP status */
            status_code: number;
            /** @description human-readable message */
            message: string;
            result: null;
            error: {
                code: components["schemas"]["ErrorCode"];
                message: string;
                /** @description the field at fault, if any */
                field?: string;
                /** @description machine-readable details */
                details?: unknown;
            };
        };
    };
    responses: {
        /** @description The token is missing, malformed, expired, revoked, or of the wrong type */
        Error401: {
            headers: {
                /** @description the expected scheme word */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unauthorized" | "token_expired" | "token_revoked";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The token is valid, but does not grant access to this resource */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "forbidden" | "not_allowed" | "platform_suspended" | "user_suspended";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description There is no such upload or link, or it is not for this */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_found";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The request did not arrive in time */
        Error408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "request_timeout";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
        Error409: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "request_in_progress";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The requested data is no longer kept, or the link is no longer open */
        Error410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "link_ended";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The version of the protocol is not supported */
        Error412: {
            headers: {
                /** @description the versions that are supported */
                "Tus-Version"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unsupported_version";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The request body is larger than this server accepts */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "upload_too_large";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The media type of the request body is not supported */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unsupported_media_type";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The server does not support this Expect header */
        Error417: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "expectation_failed";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The Idempotency-Key belongs to another request */
        Error422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "idempotency_key_reused";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description Another request is writing to the upload */
        Error423: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "upload_locked";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description Too many requests */
        Error429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rate_limited";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The headers are larger than this server accepts */
        Error431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "headers_too_large";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description What arrived differs from its checksum */
        Error460: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "checksum_mismatch";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description Internal server error */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "internal_error";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
        /** @description The database or object store is unavailable, or the service is shutting down */
        Error503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unavailable";
                        message?: unknown;
                        field?: unknown;
                        details?: unknown;
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPlatforms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "platform": "Field survey",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959",
                     *           "user_count": 0,
                     *           "suspended_at": "20250131_235959",
                     *           "image_count": 0,
                     *           "used_storage_mb": 0,
                     *           "last_upload_at": "20250131_235959"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ListedPlatform"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createPlatform: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example Field survey */
                    platform?: string;
                };
                "multipart/form-data": {
                    /** @example Field survey */
                    platform?: string;
                };
                "application/json": {
                    /** @example Field survey */
                    platform?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform": "Field survey",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "access_token": "<ACCESS_TOKEN>",
                     *         "refresh_token": "<REFRESH_TOKEN>",
                     *         "token_type": "bearer"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["CreatedPlatform"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_exists" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getPlatform: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform": "Field survey",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "user_count": 0,
                     *         "suspended_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Platform"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "suspended_at": "20250131_235959",
                     *         "max_storage_mb": 10240,
                     *         "max_images": 0,
                     *         "max_users": 0,
                     *         "used_storage_mb": 0,
                     *         "image_count": 0,
                     *         "user_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PlatformLimits"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suspendPlatform: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform": "Field survey",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "user_count": 0,
                     *         "suspended_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Platform"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    resumePlatform: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform": "Field survey",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "user_count": 0,
                     *         "suspended_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Platform"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getPlatformInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform": "Field survey",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "user_count": 0,
                     *         "suspended_at": "20250131_235959",
                     *         "image_count": 0,
                     *         "part_total_filesize_mb": 2.384186,
                     *         "total_filesize_mb": 2.384186
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PlatformInfo"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                platform_user_id?: string;
                /** @description part of a platform_user_id; with it, the answer is a page */
                search?: string;
                /** @description from 0; with it, the answer is a page */
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                /** @description 1 to 1,000; with it, the answer is a page */
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "platform_user_id": "surveyor-17",
                     *           "created_at": "20250131_235959",
                     *           "access_token": "<ACCESS_TOKEN>"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ListedUser"][] | components["schemas"]["UserPage"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example surveyor-17 */
                    platform_user_id: string;
                };
                "multipart/form-data": {
                    /** @example surveyor-17 */
                    platform_user_id: string;
                };
                "application/json": {
                    /** @example surveyor-17 */
                    platform_user_id: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_user_id": "surveyor-17",
                     *         "access_token": "<ACCESS_TOKEN>",
                     *         "refresh_token": "<REFRESH_TOKEN>",
                     *         "token_type": "bearer"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["CreatedUser"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_exists" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getPlatformUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_user_id": "surveyor-17",
                     *         "created_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["User"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_user_id": "surveyor-17",
                     *         "created_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["User"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 10240 */
                    max_storage_mb?: number;
                };
                "multipart/form-data": {
                    /** @example 10240 */
                    max_storage_mb?: number;
                };
                "application/json": {
                    /** @example 10240 */
                    max_storage_mb?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_count": 0,
                     *         "max_storage_mb": 10240,
                     *         "used_storage_mb": 0,
                     *         "trash_image_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UpdatedUser"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "deleted_folders": 0,
                     *         "deleted_images": 0,
                     *         "in_progress": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["DeletedUser"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description part of a platform_user_id, case-insensitive */
                search?: string;
                /** @description only this user */
                user_id?: string;
                /** @description full: stores as much as the quota allows, or more */
                state?: "active" | "suspended" | "full";
                sort_by?: "created_at" | "name" | "images" | "storage" | "last_upload";
                /** @description asc: the oldest, the first by name, those with least */
                sort_order?: "asc" | "desc";
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform_user_id": "surveyor-17",
                     *             "created_at": "20250131_235959",
                     *             "suspended_at": "20250131_235959",
                     *             "image_count": 0,
                     *             "trash_image_count": 0,
                     *             "used_storage_mb": 0,
                     *             "max_storage_mb": 10240,
                     *             "last_upload_at": "20250131_235959"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["AccountList"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_user_id": "surveyor-17",
                     *         "created_at": "20250131_235959",
                     *         "suspended_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UserState"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    resumeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "platform_user_id": "surveyor-17",
                     *         "created_at": "20250131_235959",
                     *         "suspended_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UserState"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getPlatformUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "image_count": 0,
                     *         "max_storage_mb": 10240,
                     *         "used_storage_mb": 0,
                     *         "trash_image_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UserInfo"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "image_count": 0,
                     *         "max_storage_mb": 10240,
                     *         "used_storage_mb": 0,
                     *         "trash_image_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UserInfo"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                has_delete_at?: "True" | "False" | "None";
                /** @description True: what is in each folder */
                with_counts?: "True" | "False";
                /** @description only those directly in this folder; blank: at the top level */
                parent_id?: string;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "title": "현장 사진 2",
                     *           "parent_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959",
                     *           "delete_at": null,
                     *           "image_count": 0,
                     *           "image_count_below": 0,
                     *           "first_taken_at": "20250131_235959",
                     *           "last_taken_at": "20250131_235959",
                     *           "cover": [
                     *             "text"
                     *           ],
                     *           "child_folders": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["FolderTree"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 현장 사진 2 */
                    title: string;
                    /**
                     * @description blank, empty, none, or absent: the top level
                     * @example text
                     */
                    parent_id?: string;
                };
                "multipart/form-data": {
                    /** @example 현장 사진 2 */
                    title: string;
                    /**
                     * @description blank, empty, none, or absent: the top level
                     * @example text
                     */
                    parent_id?: string;
                };
                "application/json": {
                    /** @example 현장 사진 2 */
                    title: string;
                    /**
                     * @description blank, empty, none, or absent: the top level
                     * @example text
                     */
                    parent_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "title": "현장 사진 2",
                     *         "parent_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Folder"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_exists" | "folder_too_deep" | "folder_in_trash" | "too_many_folders" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    folderContents: {
        parameters: {
            query?: {
                /** @description taken_at: created_at of folders, and of images without one */
                sort_by?: "created_at" | "updated_at" | "taken_at" | "name";
                sort_order?: "asc" | "desc";
                get_image?: "True" | "False";
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
                with_history?: "True" | "False";
                has_delete_at?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_memo?: "True" | "False" | "None";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a folder */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "total_filesize_mb": 2.384186,
                     *         "current_path": "/현장 사진 2",
                     *         "current_path_id": "/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b02",
                     *         "items": [
                     *           {
                     *             "is_folder": true,
                     *             "data": {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "title": "현장 사진 2",
                     *               "parent_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "created_at": "20250131_235959",
                     *               "updated_at": "20250131_235959",
                     *               "delete_at": null
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["FolderContents"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "user_not_found" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateFolder: {
        parameters: {
            query?: {
                /** @description True: move to the trash; False: restore */
                delete?: "True" | "False" | "None";
            };
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a folder */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description a blank (null in JSON): the top level; empty or UNSET: no move
                     * @example text
                     */
                    parent_id?: string;
                };
                "multipart/form-data": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description a blank (null in JSON): the top level; empty or UNSET: no move
                     * @example text
                     */
                    parent_id?: string;
                };
                "application/json": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description a blank (null in JSON): the top level; empty or UNSET: no move
                     * @example text
                     */
                    parent_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "title": "현장 사진 2",
                     *         "parent_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "in_progress": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ChangedFolder"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_exists" | "folder_cycle" | "folder_too_deep" | "folder_in_trash" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a folder */
                folder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "deleted_folders": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "deleted_images": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "in_progress": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["DeletedFolders"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listImages: {
        parameters: {
            query?: {
                view_type?: "grid" | "list" | "map" | "grid_sep";
                has_delete_at?: "True" | "False" | "None";
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                days_or_date_range?: "days_range" | "date_range";
                /** @description counted back from now */
                days_range?: number;
                /** @description taken_at means created_at of images without one */
                search_date_by?: "created_at" | "updated_at" | "taken_at";
                start_date?: string;
                /** @description inclusive */
                end_date?: string;
                /** @description taken_at means created_at of images without one */
                sort_by?: "created_at" | "taken_at";
                /** @description desc (default): newest first */
                sort_order?: "asc" | "desc";
                /** @description a day of created_at, or of taken_at if search_date_by says so */
                date?: string;
                /** @description required for map */
                latitude?: number;
                /** @description required for map */
                longitude?: number;
                /** @description meters around latitude and longitude */
                radius?: number;
                /** @description whether it has a location */
                located?: "True" | "False";
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
                /** @description with view_type list: returns a ZIP */
                download?: "True" | "False" | "None";
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "total_filesize_mb": 2.384186,
                     *         "total_is_exact": false,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *             "lat": 37.5662952,
                     *             "lng": 126.9779451,
                     *             "address_road": "서울특별시 중구 세종대로 110",
                     *             "address_land": "서울특별시 중구 태평로1가 31",
                     *             "address_land_number": "31",
                     *             "building_name": "서울특별시청",
                     *             "address_sort": null,
                     *             "address_det": "3층",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959",
                     *             "delete_at": null,
                     *             "filedata_total": 0,
                     *             "is_signed": false,
                     *             "is_shared": false,
                     *             "has_det": false,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "filesize_mb": 2.384186,
                     *             "image_filesize_mb": 2.384186,
                     *             "memos": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "message": "정문 왼쪽",
                     *                 "is_client": false,
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "customs": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "key": "관리 번호",
                     *                 "value": "A-1024",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "filedatas": [
                     *               {
                     *                 "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "created_at": "20250131_235959",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "is_incomplete": false,
                     *                 "original_name": "text",
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ],
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "taken_at": "20250131_235959",
                     *             "is_incomplete": false,
                     *             "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "original_name": "text",
                     *             "direction": 0,
                     *             "altitude_m": 0,
                     *             "accuracy_m": 0,
                     *             "camera": "text",
                     *             "distance_m": 12.5,
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ImageList"] | components["schemas"]["ImageDays"];
                    };
                    "application/zip": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "invalid_cursor" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "too_many_images" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the picture: JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC, recognized by its content
                     */
                    image_data: Blob;
                    /**
                     * Format: uuid
                     * @description blank: the top level; empty or absent: the folder of the upload set, if any, or the top level
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /** @example 20250131_093015 */
                    created_at?: string;
                    /**
                     * @default gallery
                     * @example gallery
                     * @enum {string}
                     */
                    upload_type?: "camera" | "gallery" | "request";
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                    /**
                     * @description SHA-256 of the file; a file with another hash is rejected. Send it before the file, so that a repeat with an Idempotency-Key need not send the file
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    image_hash?: string;
                    /**
                     * Format: uuid
                     * @description an upload set that expects the file
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    upload_set_id?: string;
                    /**
                     * @description required when is_shared is True; stored as a memo
                     * @example 정문 왼쪽
                     */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "upload_set_not_found" | "too_many_images" | "too_many_files" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    addFiledata: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the picture: JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC, recognized by its content
                     */
                    image_data: Blob;
                    /**
                     * @description SHA-256 of the file; a file with another hash is rejected. Send it before the file, so that a repeat with an Idempotency-Key need not send the file
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    image_hash?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "image_not_found" | "image_in_trash" | "too_many_images" | "too_many_files" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
                /** @description the version of the protocol */
                "Tus-Resumable": string;
                /** @description bytes of the file */
                "Upload-Length": string;
                /** @description the fields of an image upload under their names, `filename`, and `image_id` for a version of that image; each value in base64 */
                "Upload-Metadata"?: string;
                /** @description "sha256", a blank, and the SHA-256 of the body in base64; other bytes are not taken */
                "Upload-Checksum"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": Blob;
            };
        };
        responses: {
            /** @description The upload has begun */
            201: {
                headers: {
                    Location?: string;
                    "Idempotency-Replayed"?: string;
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "too_many_open_uploads" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            460: components["responses"]["Error460"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    describeUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is supported */
            204: {
                headers: {
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: string;
                    "Tus-Checksum-Algorithm"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "state": "receiving",
                     *         "offset": 0,
                     *         "length": 0,
                     *         "expires_at": "20250131_235959",
                     *         "image": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *           "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *           "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *           "lat": 37.5662952,
                     *           "lng": 126.9779451,
                     *           "address_road": "서울특별시 중구 세종대로 110",
                     *           "address_land": "서울특별시 중구 태평로1가 31",
                     *           "address_land_number": "31",
                     *           "building_name": "서울특별시청",
                     *           "address_sort": null,
                     *           "address_det": "3층",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959",
                     *           "delete_at": null,
                     *           "filedata_total": 0,
                     *           "is_signed": false,
                     *           "is_shared": false,
                     *           "has_det": false,
                     *           "image_resource_type": "jpeg",
                     *           "resolution": "4000x3000",
                     *           "filesize_mb": 2.384186,
                     *           "image_filesize_mb": 2.384186,
                     *           "memos": [
                     *             {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "message": "정문 왼쪽",
                     *               "is_client": false,
                     *               "created_at": "20250131_235959",
                     *               "updated_at": "20250131_235959"
                     *             }
                     *           ],
                     *           "customs": [
                     *             {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "key": "관리 번호",
                     *               "value": "A-1024",
                     *               "created_at": "20250131_235959",
                     *               "updated_at": "20250131_235959"
                     *             }
                     *           ],
                     *           "filedatas": [
                     *             {
                     *               "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *               "created_at": "20250131_235959",
                     *               "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *               "filesize_mb": 2.384186,
                     *               "image_resource_type": "jpeg",
                     *               "resolution": "4000x3000",
                     *               "is_incomplete": false,
                     *               "original_name": "text",
                     *               "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *             }
                     *           ],
                     *           "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *           "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *           "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "taken_at": "20250131_235959",
                     *           "is_incomplete": false,
                     *           "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "original_name": "text",
                     *           "direction": 0,
                     *           "altitude_m": 0,
                     *           "accuracy_m": 0,
                     *           "camera": "text",
                     *           "distance_m": 12.5,
                     *           "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *         },
                     *         "error": {
                     *           "code": "text",
                     *           "message": "정문 왼쪽",
                     *           "field": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Upload"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload has ended */
            204: {
                headers: {
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    describeUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is supported */
            204: {
                headers: {
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: string;
                    "Tus-Checksum-Algorithm"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUploadOffset: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is known */
            200: {
                headers: {
                    "Upload-Length"?: string;
                    "Upload-Metadata"?: string;
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
                /** @description the offset of the first byte of the body in the file */
                "Upload-Offset": string;
                /** @description "sha256", a blank, and the SHA-256 of the body in base64; other bytes are not taken */
                "Upload-Checksum"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": Blob;
            };
        };
        responses: {
            /** @description The bytes are stored durably */
            204: {
                headers: {
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "wrong_offset";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            460: components["responses"]["Error460"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    countImages: {
        parameters: {
            query?: {
                has_delete_at?: "True" | "False" | "None";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ImageCount"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getImage: {
        parameters: {
            query?: {
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateImage: {
        parameters: {
            query?: {
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
            };
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                };
                "multipart/form-data": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                };
                "application/json": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    exportImages: {
        parameters: {
            query: {
                has_delete_at?: "True" | "False" | "None";
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                /** @description required for map */
                latitude?: number;
                /** @description required for map */
                longitude?: number;
                /** @description meters around latitude and longitude */
                radius?: number;
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                days_or_date_range?: "days_range" | "date_range";
                /** @description counted back from now */
                days_range?: number;
                /** @description taken_at means created_at of images without one */
                search_date_by?: "created_at" | "updated_at" | "taken_at";
                start_date?: string;
                /** @description inclusive */
                end_date?: string;
                /** @description a day of created_at, or of taken_at if search_date_by says so */
                date?: string;
                /** @description whether it has a location */
                located?: "True" | "False";
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
                /** @description the time that dates mean, and by which the newest come first; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                format: "geojson" | "csv" | "ndjson";
                /** @description west,south,east,north in degrees; across 180° if west is beyond east */
                bbox?: string;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/geo+json": Blob;
                    "text/csv; charset=utf-8": Blob;
                    /** @example text */
                    "application/x-ndjson": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    imageDays: {
        parameters: {
            query?: {
                has_delete_at?: "True" | "False" | "None";
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                /** @description required for map */
                latitude?: number;
                /** @description required for map */
                longitude?: number;
                /** @description meters around latitude and longitude */
                radius?: number;
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                days_or_date_range?: "days_range" | "date_range";
                /** @description counted back from now */
                days_range?: number;
                /** @description taken_at means created_at of images without one */
                search_date_by?: "created_at" | "updated_at" | "taken_at";
                start_date?: string;
                /** @description inclusive */
                end_date?: string;
                /** @description a day of created_at, or of taken_at if search_date_by says so */
                date?: string;
                /** @description whether it has a location */
                located?: "True" | "False";
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
                /** @description the time whose days are counted; taken_at means created_at of images without one */
                sort_by?: "created_at" | "taken_at";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "days": [
                     *           {
                     *             "date": 20250131,
                     *             "count": 1
                     *           }
                     *         ],
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["CountedDays"];
                    };
                };
            };
            /** @description Not changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description The version of the protocol is not supported */
            412: {
                headers: {
                    /** @description the versions that are supported */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "precondition_failed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    imageChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "cameras": [
                     *           {
                     *             "camera": "text",
                     *             "images": 0
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "key": "관리 번호",
                     *             "images": 0,
                     *             "values": [
                     *               "text"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ImageChoices"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    imageAddresses: {
        parameters: {
            query: {
                /** @description part of an address, or of the name of a building */
                search: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "addresses": [
                     *           {
                     *             "address": "text",
                     *             "building_name": "서울특별시청",
                     *             "count": 1,
                     *             "latitude": 37.5662952,
                     *             "longitude": 126.9779451
                     *           }
                     *         ],
                     *         "is_exact": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ImageAddresses"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkImages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description SHA-256 of 1 to 5,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                };
                "multipart/form-data": {
                    /**
                     * @description SHA-256 of 1 to 5,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                };
                "application/json": {
                    /**
                     * @description SHA-256 of 1 to 5,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "present": [
                     *           {
                     *             "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "images": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "version": 0,
                     *                 "in_trash": false
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "missing": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: {
                            present: {
                                /** @description SHA-256 in lower case */
                                hash: string;
                                /** @description the oldest 20, oldest first */
                                images: {
                                    /** Format: uuid */
                                    id: string;
                                    version: number;
                                    in_trash: boolean;
                                }[];
                            }[];
                            missing: string[];
                        };
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createArchive: {
        parameters: {
            query?: {
                has_delete_at?: "True" | "False" | "None";
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                /** @description required for map */
                latitude?: number;
                /** @description required for map */
                longitude?: number;
                /** @description meters around latitude and longitude */
                radius?: number;
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                days_or_date_range?: "days_range" | "date_range";
                /** @description counted back from now */
                days_range?: number;
                /** @description taken_at means created_at of images without one */
                search_date_by?: "created_at" | "updated_at" | "taken_at";
                start_date?: string;
                /** @description inclusive */
                end_date?: string;
                /** @description a day of created_at, or of taken_at if search_date_by says so */
                date?: string;
                /** @description whether it has a location */
                located?: "True" | "False";
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description up to 10,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                };
                "multipart/form-data": {
                    /**
                     * @description up to 10,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                };
                "application/json": {
                    /**
                     * @description up to 10,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "url": "text",
                     *         "count": 1,
                     *         "bytes": 0,
                     *         "expires_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Archive"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "too_many_archives" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                archive_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "folder_not_found" | "too_many_images" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createLedger: {
        parameters: {
            query?: {
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                /** @description required for map */
                latitude?: number;
                /** @description required for map */
                longitude?: number;
                /** @description meters around latitude and longitude */
                radius?: number;
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                days_or_date_range?: "days_range" | "date_range";
                /** @description counted back from now */
                days_range?: number;
                /** @description taken_at means created_at of images without one */
                search_date_by?: "created_at" | "updated_at" | "taken_at";
                start_date?: string;
                /** @description inclusive */
                end_date?: string;
                /** @description a day of created_at, or of taken_at if search_date_by says so */
                date?: string;
                /** @description whether it has a location */
                located?: "True" | "False";
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description up to 2,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @default pdf
                     * @example pdf
                     * @enum {string}
                     */
                    format?: "pdf" | "xlsx";
                    /**
                     * @description pictures on a page: 1, 2, 4, 6
                     * @default 1
                     * @example 1
                     */
                    layout?: number;
                    /**
                     * @description default: what such a document is called
                     * @example 현장 사진 2
                     */
                    title?: string;
                    /**
                     * @description of captions, in this order; custom:KEY is the value of one custom
                     * @default [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     * @example [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     */
                    fields?: (components["schemas"]["CaptionField"] | string)[];
                    /**
                     * @default ko
                     * @example ko
                     * @enum {string}
                     */
                    language?: "ko" | "en";
                };
                "multipart/form-data": {
                    /**
                     * @description up to 2,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @default pdf
                     * @example pdf
                     * @enum {string}
                     */
                    format?: "pdf" | "xlsx";
                    /**
                     * @description pictures on a page: 1, 2, 4, 6
                     * @default 1
                     * @example 1
                     */
                    layout?: number;
                    /**
                     * @description default: what such a document is called
                     * @example 현장 사진 2
                     */
                    title?: string;
                    /**
                     * @description of captions, in this order; custom:KEY is the value of one custom
                     * @default [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     * @example [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     */
                    fields?: (components["schemas"]["CaptionField"] | string)[];
                    /**
                     * @default ko
                     * @example ko
                     * @enum {string}
                     */
                    language?: "ko" | "en";
                };
                "application/json": {
                    /**
                     * @description up to 2,000 images, in place of filters
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @default pdf
                     * @example pdf
                     * @enum {string}
                     */
                    format?: "pdf" | "xlsx";
                    /**
                     * @description pictures on a page: 1, 2, 4, 6
                     * @default 1
                     * @example 1
                     */
                    layout?: number;
                    /**
                     * @description default: what such a document is called
                     * @example 현장 사진 2
                     */
                    title?: string;
                    /**
                     * @description of captions, in this order; custom:KEY is the value of one custom
                     * @default [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     * @example [
                     *       "number",
                     *       "taken_at",
                     *       "address",
                     *       "place"
                     *     ]
                     */
                    fields?: (components["schemas"]["CaptionField"] | string)[];
                    /**
                     * @default ko
                     * @example ko
                     * @enum {string}
                     */
                    language?: "ko" | "en";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "url": "text",
                     *         "count": 1,
                     *         "pages": 0,
                     *         "expires_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Ledger"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "too_many_archives" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLedger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                ledger_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": Blob;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "folder_not_found" | "too_many_images" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    emptyTrash: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "deleted_images": 0,
                     *         "deleted_folders": 0,
                     *         "remaining_images": 0,
                     *         "remaining_folders": 0,
                     *         "hold_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["EmptiedTrash"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteFromTrash: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "deleted_images": 0,
                     *         "deleted_folders": 0,
                     *         "remaining_images": 0,
                     *         "remaining_folders": 0,
                     *         "hold_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["EmptiedTrash"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "image_not_in_trash" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listUploadSets: {
        parameters: {
            query?: {
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "title": "현장 사진 2",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "state": "open",
                     *             "expected": 0,
                     *             "arrived": 0,
                     *             "created_at": "20250131_235959",
                     *             "completed_at": "20250131_235959"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UploadSetList"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createUploadSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description SHA-256 of 1 to 10,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * Format: uuid
                     * @description folder of uploads to the set that name none; by default, the top level
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                };
                "multipart/form-data": {
                    /**
                     * @description SHA-256 of 1 to 10,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * Format: uuid
                     * @description folder of uploads to the set that name none; by default, the top level
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                };
                "application/json": {
                    /**
                     * @description SHA-256 of 1 to 10,000 files, hexadecimal
                     * @example [
                     *       "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     ]
                     */
                    hashes: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * Format: uuid
                     * @description folder of uploads to the set that name none; by default, the top level
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "title": "현장 사진 2",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "state": "open",
                     *         "expected": 0,
                     *         "arrived": 0,
                     *         "created_at": "20250131_235959",
                     *         "completed_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UploadSet"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "too_many_upload_sets" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getUploadSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                upload_set_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "title": "현장 사진 2",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "state": "open",
                     *         "expected": 0,
                     *         "arrived": 0,
                     *         "missing": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "completed_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UploadSetDetails"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteUploadSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                upload_set_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "title": "현장 사진 2",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "state": "open",
                     *         "expected": 0,
                     *         "arrived": 0,
                     *         "created_at": "20250131_235959",
                     *         "completed_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["UploadSet"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "url": "text",
                     *             "kind": "view",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_ids": [
                     *               "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *             ],
                     *             "title": "현장 사진 2",
                     *             "message": "정문 왼쪽",
                     *             "has_password": false,
                     *             "allow_download": false,
                     *             "show_place": false,
                     *             "state": "active",
                     *             "expires_at": "20250131_235959",
                     *             "visits": 0,
                     *             "last_visit_at": "20250131_235959",
                     *             "arrivals": 0,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["LinkList"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description view: visitors see the images; request: they upload into the folder
                     * @example view
                     * @enum {string}
                     */
                    kind: "view" | "request";
                    /**
                     * Format: uuid
                     * @description the folder that it opens, with everything below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @description the images that it shows, in this order; in place of a folder
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                };
                "multipart/form-data": {
                    /**
                     * @description view: visitors see the images; request: they upload into the folder
                     * @example view
                     * @enum {string}
                     */
                    kind: "view" | "request";
                    /**
                     * Format: uuid
                     * @description the folder that it opens, with everything below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @description the images that it shows, in this order; in place of a folder
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                };
                "application/json": {
                    /**
                     * @description view: visitors see the images; request: they upload into the folder
                     * @example view
                     * @enum {string}
                     */
                    kind: "view" | "request";
                    /**
                     * Format: uuid
                     * @description the folder that it opens, with everything below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @description the images that it shows, in this order; in place of a folder
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "kind": "view",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "title": "현장 사진 2",
                     *         "message": "정문 왼쪽",
                     *         "has_password": false,
                     *         "allow_download": false,
                     *         "show_place": false,
                     *         "state": "active",
                     *         "expires_at": "20250131_235959",
                     *         "visits": 0,
                     *         "last_visit_at": "20250131_235959",
                     *         "arrivals": 0,
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Link"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "too_many_links" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a link */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "kind": "view",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "title": "현장 사진 2",
                     *         "message": "정문 왼쪽",
                     *         "has_password": false,
                     *         "allow_download": false,
                     *         "show_place": false,
                     *         "state": "active",
                     *         "expires_at": "20250131_235959",
                     *         "visits": 0,
                     *         "last_visit_at": "20250131_235959",
                     *         "arrivals": 0,
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Link"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "link_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a link */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                    /**
                     * @example active
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
                "multipart/form-data": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                    /**
                     * @example active
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
                "application/json": {
                    /** @example 현장 사진 2 */
                    title?: string;
                    /**
                     * @description what visitors read
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description visitors must enter it; empty: they need none
                     * @example text
                     */
                    password?: string;
                    /**
                     * @description by default, in 30 days
                     * @example 20250131_093015
                     */
                    expires_at?: string;
                    /**
                     * @description whether visitors may download; originals with their metadata leave only with `show_place`
                     * @example True
                     * @enum {string}
                     */
                    allow_download?: "True" | "False";
                    /**
                     * @description whether visitors see where pictures were made
                     * @example True
                     * @enum {string}
                     */
                    show_place?: "True" | "False";
                    /**
                     * @example active
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "kind": "view",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "title": "현장 사진 2",
                     *         "message": "정문 왼쪽",
                     *         "has_password": false,
                     *         "allow_download": false,
                     *         "show_place": false,
                     *         "state": "active",
                     *         "expires_at": "20250131_235959",
                     *         "visits": 0,
                     *         "last_visit_at": "20250131_235959",
                     *         "arrivals": 0,
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Link"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "link_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a link */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "kind": "view",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "title": "현장 사진 2",
                     *         "message": "정문 왼쪽",
                     *         "has_password": false,
                     *         "allow_download": false,
                     *         "show_place": false,
                     *         "state": "active",
                     *         "expires_at": "20250131_235959",
                     *         "visits": 0,
                     *         "last_visit_at": "20250131_235959",
                     *         "arrivals": 0,
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Link"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "link_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    visitLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "needs_password": false,
                     *         "link": {
                     *           "kind": "view",
                     *           "title": "현장 사진 2",
                     *           "message": "정문 왼쪽",
                     *           "allow_download": false,
                     *           "show_place": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["VisitedLink"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    enterPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example text */
                    password: string;
                };
                "multipart/form-data": {
                    /** @example text */
                    password: string;
                };
                "application/json": {
                    /** @example text */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "needs_password": false,
                     *         "link": {
                     *           "kind": "view",
                     *           "title": "현장 사진 2",
                     *           "message": "정문 왼쪽",
                     *           "allow_download": false,
                     *           "show_place": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["VisitedLink"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLinkImages: {
        parameters: {
            query?: {
                /** @description `next` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "images": [
                     *           {
                     *             "id": "text",
                     *             "created_at": "20250131_235959",
                     *             "taken_at": "20250131_235959",
                     *             "width": 0,
                     *             "height": 0,
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "display_url": "text",
                     *             "download_url": "text",
                     *             "place": {
                     *               "latitude": 37.5662952,
                     *               "longitude": 126.9779451,
                     *               "address_road": "서울특별시 중구 세종대로 110",
                     *               "address_land": "서울특별시 중구 태평로1가 31",
                     *               "address_land_number": "31",
                     *               "building_name": "서울특별시청"
                     *             }
                     *           }
                     *         ],
                     *         "next": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["LinkPictures"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    sendLinkImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the picture: JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC, recognized by its content
                     */
                    image_data: Blob;
                    /**
                     * @description who sends it; stored as the custom `sender`
                     * @example text
                     */
                    sender?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: {
                            /** @description for this link alone */
                            id: string;
                        };
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "too_many_images" | "too_many_files" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getLinkArchive: {
        parameters: {
            query: {
                /** @description from the `url` of `createLinkArchive` */
                address: string;
            };
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "too_many_images" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "forbidden" | "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createLinkArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "url": "text",
                     *         "count": 1,
                     *         "bytes": 0,
                     *         "expires_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Archive"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "too_many_images" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listArrivedImages: {
        parameters: {
            query: {
                ids: string[];
            };
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "arrived": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: {
                            arrived: string[];
                        };
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createLinkUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
                /** @description the version of the protocol */
                "Tus-Resumable": string;
                /** @description bytes of the file */
                "Upload-Length": string;
                /** @description `filename`, `image_hash` if it is known, and `sender`; each value in base64 */
                "Upload-Metadata"?: string;
                /** @description "sha256", a blank, and the SHA-256 of the body in base64; other bytes are not taken */
                "Upload-Checksum"?: string;
            };
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": Blob;
            };
        };
        responses: {
            /** @description The upload has begun */
            201: {
                headers: {
                    Location?: string;
                    "Idempotency-Replayed"?: string;
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "too_many_open_uploads" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_found" | "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "link_ended" | "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            460: components["responses"]["Error460"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    describeLinkUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is supported */
            204: {
                headers: {
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: string;
                    "Tus-Checksum-Algorithm"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteLinkUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
            };
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload has ended */
            204: {
                headers: {
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_found" | "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "link_ended" | "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    describeLinkUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is supported */
            204: {
                headers: {
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: string;
                    "Tus-Checksum-Algorithm"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLinkUploadOffset: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
            };
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is known */
            200: {
                headers: {
                    "Upload-Length"?: string;
                    "Upload-Metadata"?: string;
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_found" | "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "link_ended" | "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    appendToLinkUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description the version of the protocol */
                "Tus-Resumable": string;
                /** @description the offset of the first byte of the body in the file */
                "Upload-Offset": string;
                /** @description "sha256", a blank, and the SHA-256 of the body in base64; other bytes are not taken */
                "Upload-Checksum"?: string;
            };
            path: {
                /** @description the part after /s/ of the URL of a link */
                secret: string;
                /** @description the last part of the `Location` of an upload */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": Blob;
            };
        };
        responses: {
            /** @description The bytes are stored durably */
            204: {
                headers: {
                    "Upload-Offset"?: string;
                    "Upload-Expires"?: string;
                    "Upload-Image-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "image_in_trash" | "upload_set_not_found" | "too_many_images" | "not_expected" | "hash_mismatch" | "unsupported_image" | "image_too_large" | "image_too_complex" | "corrupt_image" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "password_required";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description There is no such upload or link, or it is not for this */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_found" | "upload_not_found";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "wrong_offset";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "link_ended" | "upload_ended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            423: components["responses"]["Error423"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            460: components["responses"]["Error460"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    shareImages: {
        parameters: {
            query?: {
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
            };
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description 1 to 1,000 ids
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids: string[];
                };
                "multipart/form-data": {
                    /**
                     * @description 1 to 1,000 ids
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids: string[];
                };
                "application/json": {
                    /**
                     * @description 1 to 1,000 ids
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *           "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *           "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *           "lat": 37.5662952,
                     *           "lng": 126.9779451,
                     *           "address_road": "서울특별시 중구 세종대로 110",
                     *           "address_land": "서울특별시 중구 태평로1가 31",
                     *           "address_land_number": "31",
                     *           "building_name": "서울특별시청",
                     *           "address_sort": null,
                     *           "address_det": "3층",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959",
                     *           "delete_at": null,
                     *           "filedata_total": 0,
                     *           "is_signed": false,
                     *           "is_shared": false,
                     *           "has_det": false,
                     *           "image_resource_type": "jpeg",
                     *           "resolution": "4000x3000",
                     *           "filesize_mb": 2.384186,
                     *           "image_filesize_mb": 2.384186,
                     *           "memos": [
                     *             {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "message": "정문 왼쪽",
                     *               "is_client": false,
                     *               "created_at": "20250131_235959",
                     *               "updated_at": "20250131_235959"
                     *             }
                     *           ],
                     *           "customs": [
                     *             {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "key": "관리 번호",
                     *               "value": "A-1024",
                     *               "created_at": "20250131_235959",
                     *               "updated_at": "20250131_235959"
                     *             }
                     *           ],
                     *           "filedatas": [
                     *             {
                     *               "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *               "created_at": "20250131_235959",
                     *               "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *               "filesize_mb": 2.384186,
                     *               "image_resource_type": "jpeg",
                     *               "resolution": "4000x3000",
                     *               "is_incomplete": false,
                     *               "original_name": "text",
                     *               "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *             }
                     *           ],
                     *           "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *           "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *           "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "taken_at": "20250131_235959",
                     *           "is_incomplete": false,
                     *           "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "original_name": "text",
                     *           "direction": 0,
                     *           "altitude_m": 0,
                     *           "accuracy_m": 0,
                     *           "camera": "text",
                     *           "distance_m": 12.5,
                     *           "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "image_not_found" | "image_in_trash" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    changeImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                    /**
                     * @description seconds to add to taken_at, where there is one
                     * @example 0
                     */
                    shift_taken_at?: number;
                    /**
                     * @description a memo for each image
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description of the memo
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                    /**
                     * @description a JSON object: a key's value is set, or added; null removes it
                     * @example {}
                     */
                    customs?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description True: delete for good what is in the trash; with nothing else
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    purge?: "True" | "False";
                    /**
                     * @description not beside shift_taken_at
                     * @example text
                     */
                    taken_at?: unknown;
                    /**
                     * @description 1 to 1,000 ids, all changed alike
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @description in place of image_ids: a JSON array of up to 1,000 objects {image_id, …}, each with the fields that change
                     * @example [
                     *       {}
                     *     ]
                     */
                    changes?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description True: the records, in the order asked
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    with_records?: "True" | "False";
                };
                "multipart/form-data": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                    /**
                     * @description seconds to add to taken_at, where there is one
                     * @example 0
                     */
                    shift_taken_at?: number;
                    /**
                     * @description a memo for each image
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description of the memo
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                    /**
                     * @description a JSON object: a key's value is set, or added; null removes it
                     * @example {}
                     */
                    customs?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description True: delete for good what is in the trash; with nothing else
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    purge?: "True" | "False";
                    /**
                     * @description not beside shift_taken_at
                     * @example text
                     */
                    taken_at?: unknown;
                    /**
                     * @description 1 to 1,000 ids, all changed alike
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @description in place of image_ids: a JSON array of up to 1,000 objects {image_id, …}, each with the fields that change
                     * @example [
                     *       {}
                     *     ]
                     */
                    changes?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description True: the records, in the order asked
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    with_records?: "True" | "False";
                };
                "application/json": {
                    /**
                     * @description True: move to the trash; False: restore; None: no change
                     * @example False
                     * @enum {string}
                     */
                    delete?: "True" | "False" | "None";
                    /**
                     * Format: uuid
                     * @description a folder, or one blank for the top level (null in JSON); empty or UNSET: no move
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    has_det?: "True" | "False" | "None";
                    /**
                     * @description degrees; sent with longitude. Image records name it lat
                     * @example 37.5662952
                     */
                    latitude?: number;
                    /**
                     * @description degrees; sent with latitude. Image records name it lng
                     * @example 126.9779451
                     */
                    longitude?: number;
                    /**
                     * @description the same as latitude
                     * @example 37.5662952
                     */
                    lat?: number;
                    /**
                     * @description the same as longitude
                     * @example 126.9779451
                     */
                    lng?: number;
                    /** @example 서울특별시 중구 세종대로 110 */
                    address_road?: string;
                    /** @example 서울특별시 중구 태평로1가 31 */
                    address_land?: string;
                    /** @example 31 */
                    address_land_number?: string;
                    /** @example 서울특별시청 */
                    building_name?: string;
                    /** @example text */
                    address_sort?: string;
                    /** @example 3층 */
                    address_det?: string;
                    /**
                     * @description name of the file; absent: that which the file came with
                     * @example text
                     */
                    original_name?: string;
                    /**
                     * @description degrees from north, 360 is 0; absent: what the file says; empty: none
                     * @example 0
                     */
                    direction?: number;
                    /**
                     * @description meters above sea level; absent: what the file says; empty: none
                     * @example 0
                     */
                    altitude_m?: number;
                    /**
                     * @description meters by which the location may be off; absent: what the file says; empty: none
                     * @example 0
                     */
                    accuracy_m?: number;
                    /**
                     * @description make and model; absent: what the file says; empty: none
                     * @example text
                     */
                    camera?: string;
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_shared?: "True" | "False" | "None";
                    /**
                     * @description None: no change
                     * @example True
                     * @enum {string}
                     */
                    is_signed?: "True" | "False" | "None";
                    /**
                     * @description seconds to add to taken_at, where there is one
                     * @example 0
                     */
                    shift_taken_at?: number;
                    /**
                     * @description a memo for each image
                     * @example 정문 왼쪽
                     */
                    message?: string;
                    /**
                     * @description of the memo
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                    /**
                     * @description a JSON object: a key's value is set, or added; null removes it
                     * @example {}
                     */
                    customs?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description True: delete for good what is in the trash; with nothing else
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    purge?: "True" | "False";
                    /**
                     * @description not beside shift_taken_at
                     * @example text
                     */
                    taken_at?: unknown;
                    /**
                     * @description 1 to 1,000 ids, all changed alike
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * @description in place of image_ids: a JSON array of up to 1,000 objects {image_id, …}, each with the fields that change
                     * @example [
                     *       {}
                     *     ]
                     */
                    changes?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description True: the records, in the order asked
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    with_records?: "True" | "False";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "changed": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "unchanged": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "images": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *             "lat": 37.5662952,
                     *             "lng": 126.9779451,
                     *             "address_road": "서울특별시 중구 세종대로 110",
                     *             "address_land": "서울특별시 중구 태평로1가 31",
                     *             "address_land_number": "31",
                     *             "building_name": "서울특별시청",
                     *             "address_sort": null,
                     *             "address_det": "3층",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959",
                     *             "delete_at": null,
                     *             "filedata_total": 0,
                     *             "is_signed": false,
                     *             "is_shared": false,
                     *             "has_det": false,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "filesize_mb": 2.384186,
                     *             "image_filesize_mb": 2.384186,
                     *             "memos": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "message": "정문 왼쪽",
                     *                 "is_client": false,
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "customs": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "key": "관리 번호",
                     *                 "value": "A-1024",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "filedatas": [
                     *               {
                     *                 "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "created_at": "20250131_235959",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "is_incomplete": false,
                     *                 "original_name": "text",
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ],
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "taken_at": "20250131_235959",
                     *             "is_incomplete": false,
                     *             "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "original_name": "text",
                     *             "direction": 0,
                     *             "altitude_m": 0,
                     *             "accuracy_m": 0,
                     *             "camera": "text",
                     *             "distance_m": 12.5,
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["BatchResult"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "folder_in_trash" | "image_not_found" | "image_not_in_trash" | "custom_ambiguous" | "too_many_memos" | "too_many_customs" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    groupImages: {
        parameters: {
            query?: {
                use_radius?: "True" | "False" | "None";
                latitude?: number;
                longitude?: number;
                /** @description meters; with use_radius True */
                radius?: number;
                /** @description degrees from north; with use_radius True */
                direction?: number;
                /** @description degrees by which an image may look another way; default 30 */
                direction_within?: number;
                has_delete_at?: "True" | "False" | "None";
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
                last_index?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "total_filesize_mb": 2.384186,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *             "lat": 37.5662952,
                     *             "lng": 126.9779451,
                     *             "address_road": "서울특별시 중구 세종대로 110",
                     *             "address_land": "서울특별시 중구 태평로1가 31",
                     *             "address_land_number": "31",
                     *             "building_name": "서울특별시청",
                     *             "address_sort": null,
                     *             "address_det": "3층",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959",
                     *             "delete_at": null,
                     *             "filedata_total": 0,
                     *             "is_signed": false,
                     *             "is_shared": false,
                     *             "has_det": false,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "filesize_mb": 2.384186,
                     *             "image_filesize_mb": 2.384186,
                     *             "memos": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "message": "정문 왼쪽",
                     *                 "is_client": false,
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "customs": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "key": "관리 번호",
                     *                 "value": "A-1024",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "filedatas": [
                     *               {
                     *                 "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "created_at": "20250131_235959",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "is_incomplete": false,
                     *                 "original_name": "text",
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ],
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "taken_at": "20250131_235959",
                     *             "is_incomplete": false,
                     *             "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "original_name": "text",
                     *             "direction": 0,
                     *             "altitude_m": 0,
                     *             "accuracy_m": 0,
                     *             "camera": "text",
                     *             "distance_m": 12.5,
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ImageGroup"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    groupImagesPaged: {
        parameters: {
            query?: {
                use_radius?: "True" | "False" | "None";
                latitude?: number;
                longitude?: number;
                /** @description meters; with use_radius True */
                radius?: number;
                /** @description degrees from north; with use_radius True */
                direction?: number;
                /** @description degrees by which an image may look another way; default 30 */
                direction_within?: number;
                has_delete_at?: "True" | "False" | "None";
                with_memo?: "True" | "False" | "None";
                with_custom?: "True" | "False" | "None";
                with_history?: "True" | "False";
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
                page?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "page": 1,
                     *         "total_pages": 1,
                     *         "total_filesize_mb": 2.384186,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *             "lat": 37.5662952,
                     *             "lng": 126.9779451,
                     *             "address_road": "서울특별시 중구 세종대로 110",
                     *             "address_land": "서울특별시 중구 태평로1가 31",
                     *             "address_land_number": "31",
                     *             "building_name": "서울특별시청",
                     *             "address_sort": null,
                     *             "address_det": "3층",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959",
                     *             "delete_at": null,
                     *             "filedata_total": 0,
                     *             "is_signed": false,
                     *             "is_shared": false,
                     *             "has_det": false,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "filesize_mb": 2.384186,
                     *             "image_filesize_mb": 2.384186,
                     *             "memos": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "message": "정문 왼쪽",
                     *                 "is_client": false,
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "customs": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "key": "관리 번호",
                     *                 "value": "A-1024",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "filedatas": [
                     *               {
                     *                 "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "created_at": "20250131_235959",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "is_incomplete": false,
                     *                 "original_name": "text",
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ],
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "taken_at": "20250131_235959",
                     *             "is_incomplete": false,
                     *             "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "original_name": "text",
                     *             "direction": 0,
                     *             "altitude_m": 0,
                     *             "accuracy_m": 0,
                     *             "camera": "text",
                     *             "distance_m": 12.5,
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PagedImageGroup"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMapTile: {
        parameters: {
            query?: {
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description zoom */
                z: number;
                /** @description column of the tile, from the west: less than 2 to the power of z */
                x: number;
                /** @description row of the tile, from the north: less than 2 to the power of z */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": Blob;
                };
            };
            /** @description The resource is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description The version of the protocol is not supported */
            412: {
                headers: {
                    /** @description the versions that are supported */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "precondition_failed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMapTileJson: {
        parameters: {
            query?: {
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tilejson": "3.0.0",
                     *       "name": "text",
                     *       "tiles": [
                     *         "text"
                     *       ],
                     *       "vector_layers": [
                     *         {
                     *           "id": "text",
                     *           "description": "text",
                     *           "minzoom": 0,
                     *           "maxzoom": 0,
                     *           "fields": {}
                     *         }
                     *       ],
                     *       "scheme": "xyz",
                     *       "minzoom": 0,
                     *       "maxzoom": 0,
                     *       "bounds": [
                     *         0
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TileJson"];
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMapClusters: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees; across 180° if west is beyond east */
                bbox: string;
                /** @description zoom of the tiles, each with 16 by 16 clusters */
                zoom: number;
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
                search_type?: "address" | "building_name" | "filename" | "memo" | "custom" | "folder" | "all";
                /** @description without search_type: searches all */
                search?: string;
                /** @description exactly this text */
                camera?: string;
                /** @description uploaded to this upload set, which is still there */
                upload_set_id?: string;
                /** @description with a custom of exactly this key */
                custom_key?: string;
                /** @description and exactly this value; with custom_key */
                custom_value?: string;
                /** @description and in everything below it; with folder_id */
                with_subfolders?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               0
                     *             ]
                     *           },
                     *           "properties": {
                     *             "count": 1,
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "latest_created_at": 0,
                     *             "count_is_exact": false,
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": components["schemas"]["MapClusters"];
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "folder_not_found" | "upload_set_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformMapTile: {
        parameters: {
            query?: {
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description zoom */
                z: number;
                /** @description column of the tile, from the west: less than 2 to the power of z */
                x: number;
                /** @description row of the tile, from the north: less than 2 to the power of z */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": Blob;
                };
            };
            /** @description The resource is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description The version of the protocol is not supported */
            412: {
                headers: {
                    /** @description the versions that are supported */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "precondition_failed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformMapTileJson: {
        parameters: {
            query?: {
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tilejson": "3.0.0",
                     *       "name": "text",
                     *       "tiles": [
                     *         "text"
                     *       ],
                     *       "vector_layers": [
                     *         {
                     *           "id": "text",
                     *           "description": "text",
                     *           "minzoom": 0,
                     *           "maxzoom": 0,
                     *           "fields": {}
                     *         }
                     *       ],
                     *       "scheme": "xyz",
                     *       "minzoom": 0,
                     *       "maxzoom": 0,
                     *       "bounds": [
                     *         0
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TileJson"];
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformMapClusters: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees; across 180° if west is beyond east */
                bbox: string;
                /** @description zoom of the tiles, each with 16 by 16 clusters */
                zoom: number;
                /** @description created at this time or later */
                from_date?: string;
                /** @description created at this time or earlier, inclusive */
                to_date?: string;
                /** @description the time that from_date and to_date mean; taken_at means created_at of images without one */
                date_by?: "created_at" | "taken_at";
                /** @description in this folder; root, or a blank: at the top level */
                folder_id?: string;
                /** @description None: not entered */
                has_det?: "True" | "False" | "None";
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               0
                     *             ]
                     *           },
                     *           "properties": {
                     *             "count": 1,
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "latest_created_at": 0,
                     *             "count_is_exact": false,
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": components["schemas"]["MapClusters"];
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "folder_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPlatformImages: {
        parameters: {
            query?: {
                with_history?: "True" | "False";
                page?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "page": 1,
                     *         "total_pages": 1,
                     *         "items": [
                     *           {
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "result": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *                 "lat": 37.5662952,
                     *                 "lng": 126.9779451,
                     *                 "address_road": "서울특별시 중구 세종대로 110",
                     *                 "address_land": "서울특별시 중구 태평로1가 31",
                     *                 "address_land_number": "31",
                     *                 "building_name": "서울특별시청",
                     *                 "address_sort": null,
                     *                 "address_det": "3층",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959",
                     *                 "delete_at": null,
                     *                 "filedata_total": 0,
                     *                 "is_signed": false,
                     *                 "is_shared": false,
                     *                 "has_det": false,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_filesize_mb": 2.384186,
                     *                 "memos": [
                     *                   {
                     *                     "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "message": "정문 왼쪽",
                     *                     "is_client": false,
                     *                     "created_at": "20250131_235959",
                     *                     "updated_at": "20250131_235959"
                     *                   }
                     *                 ],
                     *                 "customs": [
                     *                   {
                     *                     "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "key": "관리 번호",
                     *                     "value": "A-1024",
                     *                     "created_at": "20250131_235959",
                     *                     "updated_at": "20250131_235959"
                     *                   }
                     *                 ],
                     *                 "filedatas": [
                     *                   {
                     *                     "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                     "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                     "created_at": "20250131_235959",
                     *                     "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                     "filesize_mb": 2.384186,
                     *                     "image_resource_type": "jpeg",
                     *                     "resolution": "4000x3000",
                     *                     "is_incomplete": false,
                     *                     "original_name": "text",
                     *                     "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *                   }
                     *                 ],
                     *                 "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *                 "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "taken_at": "20250131_235959",
                     *                 "is_incomplete": false,
                     *                 "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "original_name": "text",
                     *                 "direction": 0,
                     *                 "altitude_m": 0,
                     *                 "accuracy_m": 0,
                     *                 "camera": "text",
                     *                 "distance_m": 12.5,
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PlatformImages"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPlatformUserImages: {
        parameters: {
            query?: {
                with_history?: "True" | "False";
                page?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "page": 1,
                     *         "total_pages": 1,
                     *         "total_filesize_mb": 2.384186,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *             "lat": 37.5662952,
                     *             "lng": 126.9779451,
                     *             "address_road": "서울특별시 중구 세종대로 110",
                     *             "address_land": "서울특별시 중구 태평로1가 31",
                     *             "address_land_number": "31",
                     *             "building_name": "서울특별시청",
                     *             "address_sort": null,
                     *             "address_det": "3층",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959",
                     *             "delete_at": null,
                     *             "filedata_total": 0,
                     *             "is_signed": false,
                     *             "is_shared": false,
                     *             "has_det": false,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "filesize_mb": 2.384186,
                     *             "image_filesize_mb": 2.384186,
                     *             "memos": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "message": "정문 왼쪽",
                     *                 "is_client": false,
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "customs": [
                     *               {
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "key": "관리 번호",
                     *                 "value": "A-1024",
                     *                 "created_at": "20250131_235959",
                     *                 "updated_at": "20250131_235959"
                     *               }
                     *             ],
                     *             "filedatas": [
                     *               {
                     *                 "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *                 "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *                 "created_at": "20250131_235959",
                     *                 "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *                 "filesize_mb": 2.384186,
                     *                 "image_resource_type": "jpeg",
                     *                 "resolution": "4000x3000",
                     *                 "is_incomplete": false,
                     *                 "original_name": "text",
                     *                 "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *               }
                     *             ],
                     *             "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *             "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "taken_at": "20250131_235959",
                     *             "is_incomplete": false,
                     *             "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "original_name": "text",
                     *             "direction": 0,
                     *             "altitude_m": 0,
                     *             "accuracy_m": 0,
                     *             "camera": "text",
                     *             "distance_m": 12.5,
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PlatformUserImages"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMemos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createMemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 정문 왼쪽 */
                    message: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client: "True" | "False";
                };
                "multipart/form-data": {
                    /** @example 정문 왼쪽 */
                    message: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client: "True" | "False";
                };
                "application/json": {
                    /** @example 정문 왼쪽 */
                    message: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client: "True" | "False";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "image_not_found" | "too_many_memos" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    updateMemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
                /** @description `id` of one of the memos of the image */
                memo_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 정문 왼쪽 */
                    message?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                };
                "multipart/form-data": {
                    /** @example 정문 왼쪽 */
                    message?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                };
                "application/json": {
                    /** @example 정문 왼쪽 */
                    message?: string;
                    /**
                     * @example True
                     * @enum {string}
                     */
                    is_client?: "True" | "False";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "memo_not_found" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteMemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
                /** @description `id` of one of the memos of the image */
                memo_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "filename": "20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg",
                     *         "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *         "org_path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB",
                     *         "lat": 37.5662952,
                     *         "lng": 126.9779451,
                     *         "address_road": "서울특별시 중구 세종대로 110",
                     *         "address_land": "서울특별시 중구 태평로1가 31",
                     *         "address_land_number": "31",
                     *         "building_name": "서울특별시청",
                     *         "address_sort": null,
                     *         "address_det": "3층",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "delete_at": null,
                     *         "filedata_total": 0,
                     *         "is_signed": false,
                     *         "is_shared": false,
                     *         "has_det": false,
                     *         "image_resource_type": "jpeg",
                     *         "resolution": "4000x3000",
                     *         "filesize_mb": 2.384186,
                     *         "image_filesize_mb": 2.384186,
                     *         "memos": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "message": "정문 왼쪽",
                     *             "is_client": false,
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "customs": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "key": "관리 번호",
                     *             "value": "A-1024",
                     *             "created_at": "20250131_235959",
                     *             "updated_at": "20250131_235959"
                     *           }
                     *         ],
                     *         "filedatas": [
                     *           {
                     *             "original_image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "path_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/display.jpg?exp=1738286100&sig=IOhcC2zkD6dnyWk5lyeCwerLSU5b",
                     *             "created_at": "20250131_235959",
                     *             "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "filesize_mb": 2.384186,
                     *             "image_resource_type": "jpeg",
                     *             "resolution": "4000x3000",
                     *             "is_incomplete": false,
                     *             "original_name": "text",
                     *             "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *           }
                     *         ],
                     *         "thumb_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/thumb.webp?exp=1738286100&sig=HfFiVfm-uc3anT5MmDxEm1QqCPaf",
                     *         "thumbhash": "HBkSHYSIeHiPiHh8eJd4eTN0EEQG",
                     *         "hashdata": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "taken_at": "20250131_235959",
                     *         "is_incomplete": false,
                     *         "upload_set_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "original_name": "text",
                     *         "direction": 0,
                     *         "altitude_m": 0,
                     *         "accuracy_m": 0,
                     *         "camera": "text",
                     *         "distance_m": 12.5,
                     *         "full_url": "https://images.example/files/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original.jpg?exp=1738286100&sig=-36IXTuxBKBJdaOFy6l0sSCe1NxB"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Image"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "memo_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listCustoms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "key": "관리 번호",
                     *           "value": "A-1024",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Custom"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createCustom: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 관리 번호 */
                    key: string;
                    /** @example A-1024 */
                    value: string;
                };
                "multipart/form-data": {
                    /** @example 관리 번호 */
                    key: string;
                    /** @example A-1024 */
                    value: string;
                };
                "application/json": {
                    /** @example 관리 번호 */
                    key: string;
                    /** @example A-1024 */
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "key": "관리 번호",
                     *         "value": "A-1024",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Custom"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "image_not_found" | "too_many_customs" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    updateCustom: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
                /** @description `id` of one of the customs of the image */
                custom_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example 관리 번호 */
                    key?: string;
                    /** @example A-1024 */
                    value?: string;
                };
                "multipart/form-data": {
                    /** @example 관리 번호 */
                    key?: string;
                    /** @example A-1024 */
                    value?: string;
                };
                "application/json": {
                    /** @example 관리 번호 */
                    key?: string;
                    /** @example A-1024 */
                    value?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "key": "관리 번호",
                     *         "value": "A-1024",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Custom"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "custom_not_found" | "too_much_text" | "storage_quota_exceeded" | "platform_limit_exceeded" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteCustom: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
                /** @description `id` of one of the customs of the image */
                custom_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "key": "관리 번호",
                     *         "value": "A-1024",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Custom"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "custom_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "held";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description number of the last entry that the client has */
                after?: number;
                limit?: number;
                /** @description seconds to wait for the first entry */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "changes": [
                     *           {
                     *             "seq": 0,
                     *             "at": "20250131_235959",
                     *             "type": "image",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "action": "created",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "actor": "user",
                     *             "token": {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "name": "text"
                     *             }
                     *           }
                     *         ],
                     *         "last": 0,
                     *         "more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Changes"];
                    };
                    "text/event-stream": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "feed_expired";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "last": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Snapshot"];
                    };
                    "application/x-ndjson": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPlatformChanges: {
        parameters: {
            query?: {
                /** @description `last` of the previous response; by default, starts at the first entry */
                after?: string;
                limit?: number;
                /** @description seconds to wait for the first entry */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "changes": [
                     *           {
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "seq": 0,
                     *             "at": "20250131_235959",
                     *             "type": "image",
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "action": "created",
                     *             "image_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "actor": "user",
                     *             "token": {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "name": "text"
                     *             }
                     *           }
                     *         ],
                     *         "last": "text",
                     *         "more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["PlatformChanges"];
                    };
                    "text/event-stream": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description The requested data is no longer kept, or the link is no longer open */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "feed_expired";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "url": "text",
                     *           "types": [
                     *             "text"
                     *           ],
                     *           "description": "text",
                     *           "state": "active",
                     *           "paused_reason": "text",
                     *           "created_at": "20250131_235959",
                     *           "updated_at": "20250131_235959",
                     *           "made_with": {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "name": "text"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     */
                    url: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
                "multipart/form-data": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     */
                    url: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
                "application/json": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     */
                    url: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         },
                     *         "secret": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "too_many_webhooks" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     * @example https://example.com/hook
                     */
                    url?: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
                "multipart/form-data": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     * @example https://example.com/hook
                     */
                    url?: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
                "application/json": {
                    /**
                     * @description URL that events are sent to: https, or http if the server allows it
                     * @example https://example.com/hook
                     * @example https://example.com/hook
                     */
                    url?: string;
                    /**
                     * @description types of the events to send, by default all but the last: image.created, image.updated, image.moved, image.restored, image.trashed, image.deleted, version.created, folder.created, folder.updated, folder.moved, folder.restored, folder.trashed, folder.deleted, memo.created, memo.updated, memo.deleted, custom.created, custom.updated, custom.deleted, upload_set.created, upload_set.updated, upload_set.deleted, user.created, user.updated, user.deleted, link.created, link.updated, link.deleted, checkpoint.created
                     * @example [
                     *       "image.created"
                     *     ]
                     */
                    types?: string[];
                    /** @example text */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "at": "20250131_235959",
                     *           "message_id": "text",
                     *           "type": "image.created",
                     *           "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "seq": 0,
                     *           "attempt": 0,
                     *           "status": 0,
                     *           "error": "text",
                     *           "ms": 0,
                     *           "next_at": "20250131_235959"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         },
                     *         "secret": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a webhook of the platform */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "url": "text",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "description": "text",
                     *         "state": "active",
                     *         "paused_reason": "text",
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959",
                     *         "made_with": {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "webhook_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listHolds: {
        parameters: {
            query?: {
                last_index?: number;
                /** @description `next_cursor` of the page before; goes before last_index and page */
                cursor?: string;
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "count": 1,
                     *         "total_count": 1,
                     *         "next_cursor": "text",
                     *         "page_size": 60,
                     *         "last_index": 0,
                     *         "items": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "reason": "민원 2026-118호",
                     *             "until": "20991231_235959",
                     *             "image_ids": [
                     *               "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *             ],
                     *             "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "created_at": "20250131_235959",
                     *             "created_by": "platform",
                     *             "released_at": "20250131_235959"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["HoldList"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description why, for those who meet the hold
                     * @example 민원 2026-118호
                     */
                    reason: string;
                    /**
                     * @description when it ends, or the last day of it; by default, it lasts until it is released
                     * @example 20991231_235959
                     */
                    until?: string;
                    /**
                     * @description the images that it keeps; or else a folder or a user
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * Format: uuid
                     * @description the folder that it keeps, with what is and comes below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * Format: uuid
                     * @description the user whom it keeps, with all images and folders
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    user_id?: string;
                };
                "multipart/form-data": {
                    /**
                     * @description why, for those who meet the hold
                     * @example 민원 2026-118호
                     */
                    reason: string;
                    /**
                     * @description when it ends, or the last day of it; by default, it lasts until it is released
                     * @example 20991231_235959
                     */
                    until?: string;
                    /**
                     * @description the images that it keeps; or else a folder or a user
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * Format: uuid
                     * @description the folder that it keeps, with what is and comes below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * Format: uuid
                     * @description the user whom it keeps, with all images and folders
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    user_id?: string;
                };
                "application/json": {
                    /**
                     * @description why, for those who meet the hold
                     * @example 민원 2026-118호
                     */
                    reason: string;
                    /**
                     * @description when it ends, or the last day of it; by default, it lasts until it is released
                     * @example 20991231_235959
                     */
                    until?: string;
                    /**
                     * @description the images that it keeps; or else a folder or a user
                     * @example [
                     *       "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *     ]
                     */
                    image_ids?: string[];
                    /**
                     * Format: uuid
                     * @description the folder that it keeps, with what is and comes below it
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    folder_id?: string;
                    /**
                     * Format: uuid
                     * @description the user whom it keeps, with all images and folders
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "reason": "민원 2026-118호",
                     *         "until": "20991231_235959",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "created_by": "platform",
                     *         "released_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Hold"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "platform_not_found" | "user_not_found" | "folder_not_found" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a hold of the platform */
                hold_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "reason": "민원 2026-118호",
                     *         "until": "20991231_235959",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "created_by": "platform",
                     *         "released_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Hold"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "hold_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    releaseHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a hold of the platform */
                hold_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "reason": "민원 2026-118호",
                     *         "until": "20991231_235959",
                     *         "image_ids": [
                     *           "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01"
                     *         ],
                     *         "folder_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "created_by": "platform",
                     *         "released_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Hold"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "platform_not_found" | "hold_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getProof: {
        parameters: {
            query?: {
                /** @description with all entries, instead of the first and the newest 19 */
                full?: "True" | "False";
            };
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of an image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "image_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLogCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLogKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLogTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description of the tile, from the leaves: 0 to 63; or `entries` */
                level: string;
                /** @description of the tile in its level, such as `x001/234`, with `.p/` and its width if it is not full */
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text",
                     *           "allow": [
                     *             "text"
                     *           ],
                     *           "created_at": "20250131_235959",
                     *           "expires_at": "20250131_235959",
                     *           "last_used_at": "20250131_235959",
                     *           "created_by": "user"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
                "multipart/form-data": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
                "application/json": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user",
                     *         "access_token": "<ACCESS_TOKEN>"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["CreatedNarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "user_not_found" | "too_many_tokens" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a narrow token */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "token_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a narrow token */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "token_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listPlatformTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "name": "text",
                     *           "allow": [
                     *             "text"
                     *           ],
                     *           "created_at": "20250131_235959",
                     *           "expires_at": "20250131_235959",
                     *           "last_used_at": "20250131_235959",
                     *           "created_by": "user"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createPlatformToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links, users, webhooks, statistics
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
                "multipart/form-data": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links, users, webhooks, statistics
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
                "application/json": {
                    /**
                     * @description what it is for, as audit and feed name it
                     * @example text
                     */
                    name: string;
                    /**
                     * @description what the token may: one or more of read, upload, change, delete, links, users, webhooks, statistics
                     * @example [
                     *       "upload"
                     *     ]
                     */
                    allow: string[];
                    /**
                     * @default 90
                     * @example 90
                     */
                    expires_in_days?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user",
                     *         "access_token": "<ACCESS_TOKEN>"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["CreatedNarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "too_many_tokens" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getPlatformToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a narrow token */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "token_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deletePlatformToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
                /** @description `id` of a narrow token */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "name": "text",
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "expires_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "created_by": "user"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["NarrowToken"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "token_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "issuer": "text",
                     *         "audience": "text",
                     *         "jwks_url": "text",
                     *         "jwks": {
                     *           "keys": [
                     *             {}
                     *           ]
                     *         },
                     *         "user_claim": "text",
                     *         "create_users": false,
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "identity_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description `iss` of the tokens, to the letter
                     * @example https://login.example.com/realms/field
                     */
                    issuer: string;
                    /**
                     * @description `aud` of the tokens, or one of it: what they are issued for
                     * @example imgstore
                     */
                    audience: string;
                    /**
                     * @description where the public keys are: https, or http if the server allows it
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     */
                    jwks_url?: string;
                    /**
                     * @description in place of jwks_url: the key set (RFC 7517) itself, as JSON
                     * @example {}
                     */
                    jwks?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description the claim that has the platform_user_id
                     * @default sub
                     * @example sub
                     */
                    user_claim?: string;
                    /**
                     * @description True: the first token of a user whom the platform does not have makes it
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    create_users?: "True" | "False";
                    /**
                     * @description what the tokens may: by default all of read, upload, change, delete, links
                     * @default [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     * @example [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     */
                    allow?: string[];
                };
                "multipart/form-data": {
                    /**
                     * @description `iss` of the tokens, to the letter
                     * @example https://login.example.com/realms/field
                     */
                    issuer: string;
                    /**
                     * @description `aud` of the tokens, or one of it: what they are issued for
                     * @example imgstore
                     */
                    audience: string;
                    /**
                     * @description where the public keys are: https, or http if the server allows it
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     */
                    jwks_url?: string;
                    /**
                     * @description in place of jwks_url: the key set (RFC 7517) itself, as JSON
                     * @example {}
                     */
                    jwks?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description the claim that has the platform_user_id
                     * @default sub
                     * @example sub
                     */
                    user_claim?: string;
                    /**
                     * @description True: the first token of a user whom the platform does not have makes it
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    create_users?: "True" | "False";
                    /**
                     * @description what the tokens may: by default all of read, upload, change, delete, links
                     * @default [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     * @example [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     */
                    allow?: string[];
                };
                "application/json": {
                    /**
                     * @description `iss` of the tokens, to the letter
                     * @example https://login.example.com/realms/field
                     */
                    issuer: string;
                    /**
                     * @description `aud` of the tokens, or one of it: what they are issued for
                     * @example imgstore
                     */
                    audience: string;
                    /**
                     * @description where the public keys are: https, or http if the server allows it
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     * @example https://login.example.com/realms/field/protocol/openid-connect/certs
                     */
                    jwks_url?: string;
                    /**
                     * @description in place of jwks_url: the key set (RFC 7517) itself, as JSON
                     * @example {}
                     */
                    jwks?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description the claim that has the platform_user_id
                     * @default sub
                     * @example sub
                     */
                    user_claim?: string;
                    /**
                     * @description True: the first token of a user whom the platform does not have makes it
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    create_users?: "True" | "False";
                    /**
                     * @description what the tokens may: by default all of read, upload, change, delete, links
                     * @default [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     * @example [
                     *       "read",
                     *       "upload",
                     *       "change",
                     *       "delete",
                     *       "links"
                     *     ]
                     */
                    allow?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "issuer": "text",
                     *         "audience": "text",
                     *         "jwks_url": "text",
                     *         "jwks": {
                     *           "keys": [
                     *             {}
                     *           ]
                     *         },
                     *         "user_claim": "text",
                     *         "create_users": false,
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            /** @description A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere */
            409: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "request_in_progress" | "issuer_taken";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "issuer": "text",
                     *         "audience": "text",
                     *         "jwks_url": "text",
                     *         "jwks": {
                     *           "keys": [
                     *             {}
                     *           ]
                     *         },
                     *         "user_claim": "text",
                     *         "create_users": false,
                     *         "allow": [
                     *           "text"
                     *         ],
                     *         "created_at": "20250131_235959",
                     *         "updated_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "identity_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getDailyStatistics: {
        parameters: {
            query: {
                /** @description first day */
                start_date: string;
                /** @description last day; days after today are omitted */
                end_date: string;
                sort_order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "date": 20250131,
                     *           "stats": {
                     *             "upload_camera": 0,
                     *             "upload_gallery": 0,
                     *             "upload_request": 0,
                     *             "total_upload": 0,
                     *             "edit_count": 0,
                     *             "delete_count": 0,
                     *             "total_images": 0,
                     *             "org_filesize_mb": 0,
                     *             "org_latest_filesize_mb": 0,
                     *             "total_filesize_mb": 2.384186
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["DayStatistics"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTotalStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "upload_camera": 0,
                     *         "upload_gallery": 0,
                     *         "upload_request": 0,
                     *         "total_upload": 0,
                     *         "edit_count": 0,
                     *         "delete_count": 0,
                     *         "total_images": 0,
                     *         "org_filesize_mb": 0,
                     *         "org_latest_filesize_mb": 0,
                     *         "total_filesize_mb": 2.384186
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Statistics"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAllStatistics: {
        parameters: {
            query: {
                /** @description first day */
                start_date: string;
                /** @description last day; days after today are omitted */
                end_date: string;
                sort_order?: "asc" | "desc";
                /** @description platform of `days` and `total`; by default, all platforms together */
                platform_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "days": [
                     *           {
                     *             "date": 20250131,
                     *             "stats": {
                     *               "upload_camera": 0,
                     *               "upload_gallery": 0,
                     *               "upload_request": 0,
                     *               "total_upload": 0,
                     *               "edit_count": 0,
                     *               "delete_count": 0,
                     *               "total_images": 0,
                     *               "org_filesize_mb": 0,
                     *               "org_latest_filesize_mb": 0,
                     *               "total_filesize_mb": 2.384186
                     *             }
                     *           }
                     *         ],
                     *         "total": {
                     *           "upload_camera": 0,
                     *           "upload_gallery": 0,
                     *           "upload_request": 0,
                     *           "total_upload": 0,
                     *           "edit_count": 0,
                     *           "delete_count": 0,
                     *           "total_images": 0,
                     *           "org_filesize_mb": 0,
                     *           "org_latest_filesize_mb": 0,
                     *           "total_filesize_mb": 2.384186
                     *         },
                     *         "platforms": [
                     *           {
                     *             "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform": "Field survey",
                     *             "stats": {
                     *               "upload_camera": 0,
                     *               "upload_gallery": 0,
                     *               "upload_request": 0,
                     *               "total_upload": 0,
                     *               "edit_count": 0,
                     *               "delete_count": 0,
                     *               "total_images": 0,
                     *               "org_filesize_mb": 0,
                     *               "org_latest_filesize_mb": 0,
                     *               "total_filesize_mb": 2.384186
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["AllStatistics"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example <REFRESH_TOKEN> */
                    refresh_token: string;
                };
                "multipart/form-data": {
                    /** @example <REFRESH_TOKEN> */
                    refresh_token: string;
                };
                "application/json": {
                    /** @example <REFRESH_TOKEN> */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "access_token": "<ACCESS_TOKEN>",
                     *         "refresh_token": "<REFRESH_TOKEN>",
                     *         "token_type": "bearer"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Tokens"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exchangeConsoleCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example text */
                    code: string;
                    /**
                     * Format: uuid
                     * @description for who has several platforms: the one to sign in to
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    platform_id?: string;
                    /**
                     * @description True: a user stays signed in on this device; the response sets a cookie
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    stay?: "True" | "False";
                };
                "multipart/form-data": {
                    /** @example text */
                    code: string;
                    /**
                     * Format: uuid
                     * @description for who has several platforms: the one to sign in to
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    platform_id?: string;
                    /**
                     * @description True: a user stays signed in on this device; the response sets a cookie
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    stay?: "True" | "False";
                };
                "application/json": {
                    /** @example text */
                    code: string;
                    /**
                     * Format: uuid
                     * @description for who has several platforms: the one to sign in to
                     * @example 0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01
                     */
                    platform_id?: string;
                    /**
                     * @description True: a user stays signed in on this device; the response sets a cookie
                     * @default False
                     * @example False
                     * @enum {string}
                     */
                    stay?: "True" | "False";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "access_token": "<ACCESS_TOKEN>",
                     *         "expires_in": 0,
                     *         "platforms": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "name": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ConsoleSession"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "platform_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renewConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "access_token": "<ACCESS_TOKEN>",
                     *         "expires_in": 0,
                     *         "platforms": [
                     *           {
                     *             "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "name": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["ConsoleSession"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "platform_suspended" | "user_suspended";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *         "created_at": "20250131_235959",
                     *         "last_used_at": "20250131_235959",
                     *         "device": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Session"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "session_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "url": "text",
                     *         "expires_at": "20250131_235959"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["SignInLink"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "created_at": "20250131_235959",
                     *           "last_used_at": "20250131_235959",
                     *           "device": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "created_at": "20250131_235959",
                     *           "last_used_at": "20250131_235959",
                     *           "device": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token */
                user_id: string;
                /** @description `id` of a session of the user */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description true if this is the answer of an earlier request with the same key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": [
                     *         {
                     *           "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *           "created_at": "20250131_235959",
                     *           "last_used_at": "20250131_235959",
                     *           "device": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "user_not_found" | "session_not_found" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            /** @description The database or object store is unavailable, or the service is shutting down */
            503: {
                headers: {
                    /** @description seconds */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "maintenance" | "unavailable";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "now": "20250131_235959",
                     *         "version": "text",
                     *         "uptime_seconds": 0,
                     *         "time_zone": "text",
                     *         "parts": {},
                     *         "database": {
                     *           "kind": "external",
                     *           "version": "text"
                     *         },
                     *         "store": "local",
                     *         "disk": {
                     *           "free_mb": 0,
                     *           "total_mb": 0
                     *         },
                     *         "machines": [
                     *           {
                     *             "address": "text",
                     *             "connections": 0,
                     *             "since": "20250131_235959"
                     *           }
                     *         ],
                     *         "totals": {
                     *           "platforms": 0,
                     *           "users": 0,
                     *           "images": 0,
                     *           "stored_mb": 0
                     *         },
                     *         "platforms": [
                     *           {
                     *             "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform": "Field survey",
                     *             "platforms": 0,
                     *             "images": 0,
                     *             "stored_mb": 0
                     *           }
                     *         ],
                     *         "days": [
                     *           {
                     *             "date": 20250131,
                     *             "uploads": 0,
                     *             "grown_mb": 0
                     *           }
                     *         ],
                     *         "over_quota": {
                     *           "count": 1,
                     *           "users": [
                     *             {
                     *               "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "platform": "Field survey",
                     *               "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "platform_user_id": "surveyor-17",
                     *               "used_storage_mb": 0,
                     *               "max_storage_mb": 10240
                     *             }
                     *           ]
                     *         },
                     *         "reclaim": {
                     *           "pending": 0,
                     *           "due": 0,
                     *           "failing": 0,
                     *           "oldest": "20250131_235959"
                     *         },
                     *         "read_only_since": "20250131_235959",
                     *         "webhooks": {
                     *           "active": 0,
                     *           "paused": 0
                     *         },
                     *         "differences": 0,
                     *         "verified_at": "20250131_235959",
                     *         "jobs": [
                     *           {
                     *             "job": "text",
                     *             "ended_at": "20250131_235959",
                     *             "ms": 0,
                     *             "error": "text"
                     *           }
                     *         ],
                     *         "backup": {
                     *           "at": "20250131_235959",
                     *           "repository": "text",
                     *           "objects": 0,
                     *           "megabytes": 0,
                     *           "proved_at": "20250131_235959"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["Status"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readAudit: {
        parameters: {
            query?: {
                /** @description required for changes of records, unless user_id is given */
                platform_id?: string;
                actor?: "operator" | "admin" | "platform" | "user" | "system";
                user_id?: string;
                since?: string;
                /** @description including this day or second */
                until?: string;
                act?: "admin.token" | "platform.create" | "platform.rename" | "platform.token" | "platform.revoke" | "platform.suspend" | "platform.resume" | "platform.limit" | "platform.publish_log" | "platform.hide_log" | "platform.delete" | "platform.deleted" | "user.create" | "user.token" | "user.suspend" | "user.resume" | "user.quota" | "user.delete" | "console.link" | "console.session" | "keys.replace" | "keys.rotate" | "store.migrate" | "store.clear" | "store.reclaim" | "trash.empty" | "job.run" | "maintenance.on" | "maintenance.off" | "upload.refuse" | "webhook.create" | "webhook.update" | "webhook.delete" | "webhook.rotate" | "webhook.pause" | "webhook.resume" | "webhook.replay" | "user.sign-in" | "identity.set" | "identity.remove" | "token.create" | "token.revoke" | "session.end" | "link.create" | "link.update" | "link.delete" | "hold.create" | "hold.release" | "image.created" | "image.updated" | "image.moved" | "image.restored" | "image.trashed" | "image.deleted" | "version.created" | "folder.created" | "folder.updated" | "folder.moved" | "folder.restored" | "folder.trashed" | "folder.deleted" | "memo.created" | "memo.updated" | "memo.deleted" | "custom.created" | "custom.updated" | "custom.deleted" | "upload_set.created" | "upload_set.updated" | "upload_set.deleted" | "user.created" | "user.updated" | "user.deleted" | "link.created" | "link.updated" | "link.deleted";
                /** @description whether changes of folders and images are included, besides those of accounts */
                content?: "True" | "False";
                /** @description `last` of the previous response; by default, starts at the newest */
                before?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "entries": [
                     *           {
                     *             "at": "20250131_235959",
                     *             "act": "user.suspend",
                     *             "actor": "text",
                     *             "operator": "text",
                     *             "token_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "token": {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "name": "text"
                     *             },
                     *             "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform": "Field survey",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform_user_id": "surveyor-17",
                     *             "details": {}
                     *           }
                     *         ],
                     *         "last": "text",
                     *         "more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["AuditPage"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "missing_field" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            /** @description The token is valid, but does not grant access to this resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "not_allowed";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readPlatformAudit: {
        parameters: {
            query?: {
                actor?: "admin" | "platform" | "user" | "system";
                user_id?: string;
                since?: string;
                /** @description including this day or second */
                until?: string;
                act?: "admin.token" | "platform.create" | "platform.rename" | "platform.token" | "platform.revoke" | "platform.suspend" | "platform.resume" | "platform.limit" | "platform.publish_log" | "platform.hide_log" | "platform.delete" | "platform.deleted" | "user.create" | "user.token" | "user.suspend" | "user.resume" | "user.quota" | "user.delete" | "console.link" | "console.session" | "keys.replace" | "keys.rotate" | "store.migrate" | "store.clear" | "store.reclaim" | "trash.empty" | "job.run" | "maintenance.on" | "maintenance.off" | "upload.refuse" | "webhook.create" | "webhook.update" | "webhook.delete" | "webhook.rotate" | "webhook.pause" | "webhook.resume" | "webhook.replay" | "user.sign-in" | "identity.set" | "identity.remove" | "token.create" | "token.revoke" | "session.end" | "link.create" | "link.update" | "link.delete" | "hold.create" | "hold.release" | "image.created" | "image.updated" | "image.moved" | "image.restored" | "image.trashed" | "image.deleted" | "version.created" | "folder.created" | "folder.updated" | "folder.moved" | "folder.restored" | "folder.trashed" | "folder.deleted" | "memo.created" | "memo.updated" | "memo.deleted" | "custom.created" | "custom.updated" | "custom.deleted" | "upload_set.created" | "upload_set.updated" | "upload_set.deleted" | "user.created" | "user.updated" | "user.deleted" | "link.created" | "link.updated" | "link.deleted";
                /** @description whether changes of folders and images are included, besides those of accounts */
                content?: "True" | "False";
                /** @description `last` of the previous response; by default, starts at the newest */
                before?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `id` of the answer that created the platform; the subject (`sub`) of its token */
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status_code": 200,
                     *       "message": "성공",
                     *       "result": {
                     *         "entries": [
                     *           {
                     *             "at": "20250131_235959",
                     *             "act": "user.suspend",
                     *             "actor": "text",
                     *             "operator": "text",
                     *             "token_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "token": {
                     *               "id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *               "name": "text"
                     *             },
                     *             "platform_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform": "Field survey",
                     *             "user_id": "0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01",
                     *             "platform_user_id": "surveyor-17",
                     *             "details": {}
                     *           }
                     *         ],
                     *         "last": "text",
                     *         "more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        message: "성공";
                        result: components["schemas"]["AuditPage"];
                    };
                };
            };
            /** @description The request itself is invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {string} */
                            code?: "malformed_request" | "invalid_field" | "invalid_cursor" | "upload_interrupted";
                            message?: unknown;
                            field?: unknown;
                            details?: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            417: components["responses"]["Error417"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
