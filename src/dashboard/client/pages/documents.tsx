/** Not built yet: Documents. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Documents() {
  return (
    <>
      <PageHead title="Documents" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
