/** What is loaded with the first recording. */
export { FileFeed } from '../../feed/recordings/file-feed';
export { openRecording } from '../../feed/recordings/recording';
export { noticeOf } from './notice';
export { RecordedClient } from './recorded-client';
