package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A stanza took 10 ms or more from its arrival.
@Name("zonda.StanzaSlow")
@Label("Slow Stanza")
@Description("A stanza took 10 ms or more from its arrival.")
@Category("Zonda")
@StackTrace(false)
public final class StanzaSlow extends Event {
  /// From which time on a stanza is slow, in ns.
  private static final long SLOW = 10_000_000;

  @Label("Stage")
  @Description(
      "inside: written to a client; component, server: to one of those; acknowledged: stored and handled")
  @Nullable String stage;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  private StanzaSlow() {}

  /// Records one if it is slow.
  ///
  /// @param stage such as `inside` or `acknowledged`
  /// @param nanos since its arrival
  public static void record(String stage, long nanos) {
    if (nanos < SLOW) {
      return;
    }
    StanzaSlow event = new StanzaSlow();
    if (event.isEnabled()) {
      event.stage = stage;
      event.took = nanos;
      event.commit();
    }
  }
}
