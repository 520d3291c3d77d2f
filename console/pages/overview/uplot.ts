// In a module of its own, so that it is loaded when a chart is drawn, and not before.
import 'uplot/dist/uPlot.min.css';

export { default as uPlot } from 'uplot';
