import { after } from 'node:test';
import { testFeed } from './methods/feed.js';
import { testLinks } from './methods/links.js';
import { testMany } from './methods/many.js';
import { Network } from './methods/network.js';
import { testResuming } from './methods/resume.js';
import { testSets } from './methods/sets.js';
import { testUploads } from './methods/uploads.js';

const network = await Network.begin({ after });

testUploads(network);
testResuming(network);
testSets(network);
testFeed(network);
testLinks(network);
testMany(network);
