/** Read every page of a list that a person can see at once. */

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export async function allPages<Row>(
  read: (query: { limit: number; cursor?: string }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const page = await read({ limit: 200, ...(cursor ? { cursor } : {}) });
    rows.push(...page.data);
    if (!page.next_cursor) return rows;
    cursor = page.next_cursor;
  }
}
