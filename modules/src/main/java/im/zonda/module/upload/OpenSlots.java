package im.zonda.module.upload;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The slots that were given and neither used nor expired. An account has at most [#MAX] of them,
/// so that it cannot have addresses signed without end. In a cluster each node counts those that it
/// gave. Any thread may call.
final class OpenSlots {
  /// How many one account has: more than anyone sends at once in a gallery of pictures.
  static final int MAX = 100;

  private static final Duration SWEEP = Duration.ofMinutes(1);

  // Guarded by this object's monitor: until when the slots are valid, oldest first.
  private final Map<Jid, Map<String, Instant>> open = new HashMap<>();
  private Instant swept = Instant.EPOCH;

  /// Adds a slot; if the account has too many, returns when the first of them expires.
  synchronized @Nullable Instant add(Slot slot, Instant now) {
    if (!now.isBefore(swept.plus(SWEEP))) {
      swept = now;
      open.values().removeIf(each -> removeExpired(each, now).isEmpty());
    }
    Map<String, Instant> own =
        removeExpired(open.computeIfAbsent(slot.owner(), _ -> new LinkedHashMap<>()), now);
    if (own.size() >= MAX) {
      return own.values().iterator().next();
    }
    own.put(slot.id(), slot.valid());
    return null;
  }

  private static Map<String, Instant> removeExpired(Map<String, Instant> slots, Instant now) {
    slots.values().removeIf(valid -> valid.isBefore(now));
    return slots;
  }

  /// The slot has its file.
  synchronized void used(Slot slot) {
    Map<String, Instant> own = open.get(slot.owner());
    if (own != null && own.remove(slot.id()) != null && own.isEmpty()) {
      open.remove(slot.owner());
    }
  }
}
