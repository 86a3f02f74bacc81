package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A stream has been negotiated.
@Name("zonda.StreamOpened")
@Label("Stream Opened")
@Description("A stream has been negotiated.")
@Category("Zonda")
@StackTrace(false)
public final class StreamOpened extends Event {
  @Label("Namespace")
  @Nullable String namespace;

  @Label("Encrypted")
  boolean encrypted;

  @Label("Took")
  @Timespan(Timespan.MILLISECONDS)
  long took;

  private StreamOpened() {}

  /// Records one.
  ///
  /// @param namespace the content namespace, which says what the peer is
  /// @param millis since the connection was accepted, or the last stream on it ended
  public static void record(String namespace, boolean encrypted, long millis) {
    StreamOpened event = new StreamOpened();
    if (event.isEnabled()) {
      event.namespace = namespace;
      event.encrypted = encrypted;
      event.took = millis;
      event.commit();
    }
  }
}
