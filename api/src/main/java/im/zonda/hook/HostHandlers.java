package im.zonda.hook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Declarations of the modules of a host, in the order of their installation. Not thread-safe.
public final class HostHandlers {
  private record Entry<H>(Hook<H> hook, int order, H handler, String module) {}

  private record Claim(Hook<?> hook, Object key) {}

  private final List<Entry<?>> entries = new ArrayList<>();
  private final Map<Claim, String> claims = new HashMap<>();

  /// Adds what a module has declared.
  ///
  /// @param order handlers of a hook run in ascending order; those of the same, as they were added
  /// @throws IllegalStateException if the hook is exclusive and something has one of the same keys
  public <H> void add(Hook<H> hook, int order, H handler, String module) {
    add(new Entry<>(hook, order, handler, module));
  }

  private <H> void add(Entry<H> added) {
    for (Object key : added.hook.keys(added.handler)) {
      String other = claims.putIfAbsent(new Claim(added.hook, key), added.module);
      if (other != null) {
        throw new IllegalStateException(
            "modules %s and %s declare the same %s: %s"
                .formatted(other, added.module, added.hook, key));
      }
    }
    entries.add(added);
  }

  /// Adds everything that is declared in `others`.
  ///
  /// @throws IllegalStateException as in [#add]
  public void addAll(HostHandlers others) {
    others.entries.forEach(this::add);
  }

  /// The hooks for which something is declared.
  public Set<Hook<?>> hooks() {
    Set<Hook<?>> hooks = new LinkedHashSet<>();
    entries.forEach(entry -> hooks.add(entry.hook));
    return hooks;
  }

  /// The name of the module that has declared a handler; `server` if none has.
  @SuppressWarnings("ReferenceEquality") // the very handler, whatever it is equal to
  public String moduleOf(Object handler) {
    for (Entry<?> entry : entries) {
      if (entry.handler == handler) {
        return entry.module;
      }
    }
    return "server";
  }

  /// What is declared for a hook, in ascending order.
  public <H> List<H> of(Hook<H> hook) {
    return ofOrder(hook, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// The part of [#of] that has this order.
  public <H> List<H> of(Hook<H> hook, int order) {
    return ofOrder(hook, order, order);
  }

  @SuppressWarnings("unchecked") // an entry of a hook has a handler of its type
  private <H> List<H> ofOrder(Hook<H> hook, int least, int most) {
    return entries.stream()
        .filter(entry -> entry.hook == hook && entry.order >= least && entry.order <= most)
        .sorted(Comparator.comparingInt(Entry::order))
        .map(entry -> (H) entry.handler)
        .toList();
  }
}
