package im.zonda.home.component;

import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bounds what waits for the components of one domain, in bytes. Confined to the home's mailbox.
///
/// Above half of the bound, the streams of senders with more than an equal share of that are not
/// read until a quarter is left. Above the bound, only senders with less than an equal share of it
/// have room. So a sender with little in it does not pay for one with much.
final class WaitingBytes {
  private final int most;
  private final Map<Jid, Integer> ofSender = new HashMap<>();
  private final List<InboundFlow> paused = new ArrayList<>();
  private int total;

  WaitingBytes(int most) {
    this.most = most;
  }

  /// Whether there is room for a stanza that has come.
  boolean hasRoom(WaitingStanza stanza) {
    return (long) total + stanza.size() <= most
        || !exceedsShare(stanza.sender(), stanza.size(), most);
  }

  /// Whether a sender would have more than an equal share of `bytes`.
  private boolean exceedsShare(Jid sender, int more, int bytes) {
    Integer own = ofSender.get(sender);
    int senders = ofSender.size() + (own == null ? 1 : 0);
    return (own == null ? 0 : own) + more > bytes / senders;
  }

  /// Counts a stanza that waits from now on.
  void add(WaitingStanza stanza) {
    total += stanza.size();
    ofSender.merge(stanza.sender(), stanza.size(), Integer::sum);
    InboundFlow flow = stanza.envelope().origin().flow();
    if (total > most / 2 && exceedsShare(stanza.sender(), 0, most / 2)) {
      pause(flow);
    }
  }

  private void pause(@Nullable InboundFlow flow) {
    if (flow != null && !paused.contains(flow)) {
      paused.add(flow);
      flow.pauseReading();
    }
  }

  /// The stanza no longer waits.
  void remove(WaitingStanza stanza) {
    total -= stanza.size();
    ofSender.computeIfPresent(
        stanza.sender(), (sender, own) -> own == stanza.size() ? null : own - stanza.size());
    if (total <= most / 4 && !paused.isEmpty()) {
      List<InboundFlow> resumed = List.copyOf(paused);
      paused.clear();
      resumed.forEach(InboundFlow::resumeReading);
    }
  }

  /// What waits, in bytes.
  int total() {
    return total;
  }
}
