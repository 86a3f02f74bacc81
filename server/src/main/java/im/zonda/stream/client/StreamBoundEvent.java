package im.zonda.stream.client;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A flight recorder event: a client has bound a resource.
@Name("im.zonda.StreamBound")
@Label("Stream Bound")
@Category({"Zonda", "Streams"})
@StackTrace(false)
final class StreamBoundEvent extends Event {
  @Label("Host")
  @Nullable String host;

  @Label("Mechanism")
  @Nullable String mechanism;

  @Label("Encrypted")
  boolean encrypted;

  @Label("Milliseconds since Accept")
  long negotiationMillis;
}
