package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A client has proved its password or token, or failed to.
@Name("zonda.Login")
@Label("Login")
@Description("A client has proved its password or token, or failed to.")
@Category("Zonda")
@StackTrace(false)
public final class Login extends Event {
  @Label("Mechanism")
  @Nullable String mechanism;

  @Label("Succeeded")
  boolean succeeded;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  private Login() {}

  /// Records one.
  ///
  /// @param nanos since the client asked for it, with the time of the client
  public static void record(String mechanism, boolean succeeded, long nanos) {
    Login event = new Login();
    if (event.isEnabled()) {
      event.mechanism = mechanism;
      event.succeeded = succeeded;
      event.took = nanos;
      event.commit();
    }
  }
}
