package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.operation.Operation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether anyone has an account: asked until someone has, and then never again. Any thread may
/// call.
final class FirstAccount {
  private static final String LIST = "account.list";

  private volatile boolean exists;

  /// Whether someone has an account at any host; also if that cannot be read.
  boolean exists(Desk desk) {
    if (!exists && desk.may(LIST)) {
      for (String host : desk.hosts()) {
        Map<String, @Nullable Object> found =
            desk.data(LIST, Map.of(Operation.HOST, host, "limit", "1"));
        if (found == null) {
          return true;
        }
        exists |= found.get("accounts") instanceof List<?> all && !all.isEmpty();
      }
      return exists;
    }
    return true;
  }
}
