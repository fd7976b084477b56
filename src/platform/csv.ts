/**
 * Reads a CSV file row by row, with or without a mark of byte order; without a delimiter it finds that out. What `readRow`
 * throws ends the reading.
 */
export async function eachRow(
  text: string,
  delimiter: string | undefined,
  readRow: (cells: readonly string[]) => void,
): Promise<void> {
  const { default: Papa } = await import('papaparse');
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: delimiter ?? '',
    step: ({ data }) => readRow(data),
  });
}
