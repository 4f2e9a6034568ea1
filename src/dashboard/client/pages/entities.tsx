/** Not built yet: Entities. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Entities() {
  return (
    <>
      <PageHead title="Entities" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
