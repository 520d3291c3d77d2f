// A separate module, so that it is loaded only when a chart is drawn.
import 'uplot/dist/uPlot.min.css';

export { default as uPlot } from 'uplot';
