/** Not built yet: Events. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Events() {
  return (
    <>
      <PageHead title="Events" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}

export function EventPage() {
  return <PageHead title="Event" />;
}
