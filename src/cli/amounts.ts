export { counted, sizeText, spanText } from '../amounts.js';
