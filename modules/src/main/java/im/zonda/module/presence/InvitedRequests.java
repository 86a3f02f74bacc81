package im.zonda.module.presence;

import im.zonda.session.Home;
import im.zonda.stanza.Presence;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/// Subscription requests that another module approves, because the user has invited the sender. Any
/// thread may change it.
final class InvitedRequests {
  private record Rule(Predicate<Presence> candidates, BiPredicate<Home, Presence> approves) {}

  private volatile Rule rule = new Rule(request -> false, (home, request) -> false);

  void set(Predicate<Presence> candidates, BiPredicate<Home, Presence> approves) {
    rule = new Rule(candidates, approves);
  }

  /// Whether the request of a candidate is approved. May block; to be asked once for each.
  boolean approve(Home home, Presence request) {
    return rule.approves.test(home, request);
  }

  /// Whether the request may be approved.
  boolean isCandidate(Presence request) {
    return rule.candidates.test(request);
  }
}
