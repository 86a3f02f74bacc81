package im.zonda.operation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An operation with what it does, at one host or at the server.
public record Offer<I extends Record, R extends Record>(
    Operation<I, R> operation, Action<I, R> action) {
  /// The one among some that has a name, or null.
  public static @Nullable Offer<?, ?> find(List<Offer<?, ?>> offers, String name) {
    for (Offer<?, ?> each : offers) {
      if (each.operation.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// The operations of some, in their order.
  public static List<Operation<?, ?>> operations(List<Offer<?, ?>> offers) {
    List<Operation<?, ?>> all = new ArrayList<>();
    offers.forEach(each -> all.add(each.operation));
    return all;
  }
}
