import { makeTheme } from '../../../src/base/theme';

/** Colours and fonts of a light theme, for views in tests. */
export const theme = makeTheme({
  background: '#ffffff',
  text: '#000000',
  textSecondary: '#555555',
  border: '#cccccc',
  brand: '#1976d2',
  fontFamily: 'sans-serif',
  codeFontFamily: 'monospace'
});
