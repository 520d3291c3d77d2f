import { after } from 'node:test';
import { testFeed } from './methods/feed.js';
import { Network } from './methods/network.js';
import { testSets } from './methods/sets.js';
import { testUploads } from './methods/uploads.js';

const network = await Network.begin({ after });

testUploads(network);
testSets(network);
testFeed(network);
