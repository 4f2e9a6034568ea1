/** Not built yet: Memories. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Memories() {
  return (
    <>
      <PageHead title="Memories" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
