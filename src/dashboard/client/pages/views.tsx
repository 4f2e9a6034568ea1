/** Not built yet: Views. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Views() {
  return (
    <>
      <PageHead title="Views" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
