/** Not built yet: Transfer. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Transfer() {
  return (
    <>
      <PageHead title="Transfer" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
