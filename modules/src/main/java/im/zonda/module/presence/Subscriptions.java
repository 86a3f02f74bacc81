package im.zonda.module.presence;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.roster.Roster;
import im.zonda.module.roster.Rosters;
import im.zonda.module.roster.SubscriptionState;
import im.zonda.module.roster.Transition;
import im.zonda.module.roster.Transition.Effect;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what the tables of [SubscriptionState] say (RFC 6121, section 3).
final class Subscriptions {
  private static final Logger log = LoggerFactory.getLogger(Subscriptions.class);

  /// A request that waits is kept whole up to this size, and without its content beyond: anyone can
  /// send one, and it stays until it is answered.
  static final int REQUEST_BYTES = 4_096;

  /// Part of the bytes of a roster that requests may take with their content.
  private static final int REQUEST_SHARE = 4;

  private final Rosters rosters;
  private final Sender sender;
  private final int maxItems;
  private final int maxBytes;

  /// @param maxItems contacts of one account, and again as many requests of others
  /// @param maxBytes bytes of the contacts of one account; a quarter of it for requests of others,
  ///   past which they are kept without their content
  Subscriptions(Rosters rosters, Sender sender, int maxItems, int maxBytes) {
    this.rosters = rosters;
    this.sender = sender;
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
  }

  /// A contact as it was before a stanza, and what the stanza makes of it.
  private record Step(Home home, Jid contact, @Nullable RosterItem before, Transition transition) {
    boolean wasListed() {
      return before != null && before.listed();
    }

    boolean wasApproved() {
      return before != null && before.approved();
    }

    SubscriptionState state() {
      return before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    }
  }

  // --- what the user sends ----------------------------------------------------------------------

  /// A stanza that a client of this account sends. It goes on from the bare address to the bare
  /// address, and only by this way.
  Verdict outbound(Presence presence, Home home) {
    Jid to = presence.to();
    if (to == null || to.bare().equals(home.jid())) {
      return Verdict.handled();
    }
    Jid contact = to.bare();
    RosterItem before = rosters.of(home).find(contact);
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    Step step = new Step(home, contact, before, state.outbound(presence.type()));
    if (!step.wasListed() && lists(step) && isFull(rosters.of(home), contact)) {
      return Verdict.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    }
    Presence stamped = presence.withAddresses(home.jid(), contact);
    boolean passOn = step.transition.effect() == Effect.PASS_ON;
    switch (presence.type()) {
      case SUBSCRIBED -> approve(step, stamped, passOn);
      case UNSUBSCRIBED -> refuse(step, stamped, passOn);
      default ->
          keep(step, step.wasApproved(), null, () -> sender.send(stamped, home.jid(), contact));
    }
    return Verdict.handled();
  }

  private boolean isFull(Roster roster, Jid contact) {
    return roster.listed() >= maxItems
        || roster.listedBytes() + Roster.bytes(contact, null, List.of()) > maxBytes;
  }

  /// Whether the stanza puts the contact onto the list.
  private static boolean lists(Step step) {
    SubscriptionState next = step.transition.next();
    return next.subscription() != Subscription.NONE
        || next.pendingOut()
        || step.transition.effect() == Effect.APPROVE_IN_ADVANCE;
  }

  /// Sections 3.1.5 and 3.4.2: the contact is told first, then sees who is available.
  private void approve(Step step, Presence stamped, boolean passOn) {
    boolean inAdvance = step.transition.effect() == Effect.APPROVE_IN_ADVANCE;
    boolean approved = inAdvance || (!passOn && step.wasApproved());
    keep(
        step,
        approved,
        null,
        !passOn
            ? Subscriptions::nothing
            : () -> {
              sender.send(stamped, step.home.jid(), step.contact);
              sender.showSessions(step.home, step.contact);
            });
  }

  /// Section 3.2.2: those who saw the user see the user go, and then learn why.
  private void refuse(Step step, Presence stamped, boolean passOn) {
    boolean sawUser = step.state().subscription().from();
    keep(
        step,
        false,
        null,
        !passOn
            ? Subscriptions::nothing
            : () -> {
              if (sawUser) {
                sender.hideSessions(step.home, step.contact);
              }
              sender.send(stamped, step.home.jid(), step.contact);
            });
  }

  // --- what the contact sends -------------------------------------------------------------------

  /// A stanza of a contact that has arrived at this account's home.
  Verdict inbound(Presence presence, Home home) {
    Jid from = presence.from();
    if (from == null || !home.exists() || from.bare().equals(home.jid())) {
      return Verdict.handled();
    }
    Jid contact = from.bare();
    RosterItem before = rosters.of(home).find(contact);
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    boolean approved = before != null && before.approved();
    Step step = new Step(home, contact, before, state.inbound(presence.type(), approved));
    Presence stamped = presence.withAddresses(contact, home.jid());
    switch (step.transition.effect()) {
      case DROP, APPROVE_IN_ADVANCE -> {}
      case ANSWER_SUBSCRIBED -> answer(step);
      case PASS_ON -> {
        if (presence.type() == Presence.Type.SUBSCRIBE) {
          request(step, stamped);
        } else {
          learn(step, stamped);
        }
      }
    }
    return Verdict.handled();
  }

  /// Section 3.1.3: who may see the user already, or was approved in advance, is told at once.
  private void answer(Step step) {
    boolean used = step.transition.next() != step.state();
    keep(
        step,
        step.wasApproved() && !used,
        null,
        () -> {
          sender.send(Presence.Type.SUBSCRIBED, step.home.jid(), step.contact);
          sender.showSessions(step.home, step.contact);
        });
  }

  /// Section 3.1.3: the request is kept until it is answered, and shown to who is there.
  private void request(Step step, Presence stamped) {
    Roster roster = rosters.of(step.home);
    if (step.before == null && roster.unlisted() >= maxItems) {
      log.atWarn()
          .addKeyValue("jid", step.home.jid())
          .addKeyValue("from", step.contact)
          .log("subscription_request_dropped");
      return;
    }
    keep(
        step,
        step.wasApproved(),
        bounded(stamped, roster),
        () -> {
          for (Session session : step.home.sessions()) {
            if (session.available()) {
              session.send(stamped);
            }
          }
        });
  }

  /// Sections 3.1.6, 3.2.3 and 3.3.3: the clients that keep the roster see the stanza and then the
  /// change.
  private void learn(Step step, Presence stamped) {
    boolean sawUser = step.state().subscription().from();
    keep(
        step,
        step.wasApproved(),
        null,
        () -> {
          for (Session session : step.home.sessions()) {
            if (rosters.interested(session)) {
              session.send(stamped);
            }
          }
        });
    if (sawUser && !step.transition.next().subscription().from()) {
      sender.hideSessions(step.home, step.contact);
    }
  }

  private Presence bounded(Presence request, Roster roster) {
    int bytes = request.writtenSize();
    return bytes <= REQUEST_BYTES && roster.requestBytes() + bytes <= maxBytes / REQUEST_SHARE
        ? request
        : request.withoutPayloads(payload -> true);
  }

  private static void nothing() {}

  // --- what is kept -----------------------------------------------------------------------------

  /// Stores what has become of the contact, then lets `tell` speak, then tells the clients.
  private void keep(Step step, boolean approved, @Nullable Presence newRequest, Runnable tell) {
    SubscriptionState next = step.transition.next();
    RosterItem before = step.before;
    boolean listed =
        step.wasListed()
            || approved
            || next.pendingOut()
            || next.subscription() != Subscription.NONE;
    Presence request = newRequest == null && before != null ? before.request() : newRequest;
    if (!listed && !next.pendingIn()) {
      rosters.remove(step.home, step.contact, tell);
      return;
    }
    RosterItem after =
        new RosterItem(
            step.contact,
            before == null ? null : before.name(),
            next.subscription(),
            next.pendingOut(),
            approved,
            before == null ? List.of() : before.groups(),
            next.pendingIn() ? request : null,
            listed);
    rosters.put(step.home, after, tell);
  }
}
