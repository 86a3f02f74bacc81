package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A stanza waited 1 ms or more for the home of its sender.
@Name("zonda.MailboxWait")
@Label("Mailbox Wait")
@Description("A stanza waited 1 ms or more for the home of its sender.")
@Category("Zonda")
@StackTrace(false)
public final class MailboxWait extends Event {
  /// From which time on a wait is recorded, in ns.
  private static final long LONG = 1_000_000;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  private MailboxWait() {}

  /// Records one if it was long.
  public static void record(long nanos) {
    if (nanos < LONG) {
      return;
    }
    MailboxWait event = new MailboxWait();
    if (event.isEnabled()) {
      event.took = nanos;
      event.commit();
    }
  }
}
