/** The data in a report's page. */
import { fromBase64 } from '../base/arrays';
import { type ReportFacts, readFacts } from './facts';

/** Ids of the elements of `scripts/report-page.mjs` with the data: `files/page.py` and `panes/reports/report-file.ts` fill them. */
export const FACTS_ID = 'dp-facts';
/** See {@link FACTS_ID}. */
export const RECORDING_ID = 'dp-recording';

/** The file lacks a part or is truncated. */
export class ReportError extends Error {}

/**
 * The facts of a page.
 *
 * @throws ReportError if they are missing or malformed
 */
export function embeddedFacts(page: Document): ReportFacts {
  try {
    return readFacts(JSON.parse(contentOf(page, FACTS_ID)));
  } catch (error) {
    throw error instanceof ReportError ? error : new ReportError('This report is damaged: its facts cannot be read.');
  }
}

/**
 * The bytes of a page's recording.
 *
 * @throws ReportError if they are missing or malformed
 */
export function embeddedRecording(page: Document): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(contentOf(page, RECORDING_ID));
  } catch (error) {
    throw error instanceof ReportError ? error : new ReportError('This report is damaged: its recording cannot be read.');
  }
}

function contentOf(page: Document, id: string): string {
  const content = page.getElementById(id)?.textContent;
  if (!content) {
    throw new ReportError('This report is incomplete: the file may have been cut off.');
  }
  return content;
}
