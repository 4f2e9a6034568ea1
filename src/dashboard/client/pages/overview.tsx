/** Not built yet: Overview. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Overview() {
  return (
    <>
      <PageHead title="Overview" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
