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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Handles subscription stanzas by the tables of [SubscriptionState] (RFC 6121, section 3).
final class Subscriptions {
  private final Rosters rosters;
  private final PresenceSender sender;
  private final InvitedRequests invited;
  private final IntSupplier maxItems;
  private final IntSupplier maxBytes;
  private final IntSupplier maxGroups;
  private final PendingSubscriptions requests;

  /// @param invited the requests that are approved without asking the user
  /// @param maxItems contacts per account, and as many pending requests
  /// @param maxBytes bytes of the contacts per account, and a quarter of it for pending requests;
  ///   beyond that they are stored without payloads
  /// @param maxGroups groups per contact
  Subscriptions(
      Rosters rosters,
      PresenceSender sender,
      InvitedRequests invited,
      IntSupplier maxItems,
      IntSupplier maxBytes,
      IntSupplier maxGroups) {
    this.rosters = rosters;
    this.sender = sender;
    this.invited = invited;
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
    this.maxGroups = maxGroups;
    this.requests = new PendingSubscriptions(rosters, maxItems, maxBytes);
  }

  /// A contact before a stanza, and the transition that the stanza causes.
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

  // --- sent by the user -------------------------------------------------------------------------

  /// Handles a stanza that a session of this account sends, and routes it from bare address to bare
  /// address.
  Verdict outbound(Presence presence, Home home) {
    Jid to = presence.to();
    if (to == null || to.bare().equals(home.jid())) {
      return Verdict.handled();
    }
    Jid contact = to.bare();
    Roster roster = rosters.of(home);
    Verdict shared = shared(presence, home, roster, contact);
    if (shared != null) {
      return shared;
    }
    RosterItem before = roster.stored(contact);
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    Step step = new Step(home, contact, before, state.outbound(presence.type()));
    if (!step.wasListed() && addsToRoster(step) && isFull(rosters.of(home), contact)) {
      return Verdict.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    }
    Presence stamped = presence.withAddresses(home.jid(), contact);
    boolean passOn = step.transition.effect() == Effect.PASS_ON;
    switch (presence.type()) {
      case SUBSCRIBED -> approve(step, stamped, passOn);
      case UNSUBSCRIBED -> refuse(step, stamped, passOn);
      default ->
          store(step, step.wasApproved(), null, () -> sender.send(stamped, home.jid(), contact));
    }
    return Verdict.handled();
  }

  /// What a stanza to someone of a shared group comes to, or null if groups do not matter: what a
  /// group gives cannot be asked for, nor given, nor taken back.
  private static @Nullable Verdict shared(
      Presence presence, Home home, Roster roster, Jid contact) {
    boolean sees = roster.shared().sees(contact);
    boolean isSeen = roster.shared().isSeenBy(contact);
    return switch (presence.type()) {
      case SUBSCRIBE -> {
        if (sees) {
          deliver(home, PresenceSender.empty(Presence.Type.SUBSCRIBED, contact, home.jid()));
          yield Verdict.handled();
        }
        yield null;
      }
      case SUBSCRIBED -> isSeen ? Verdict.handled() : null;
      case UNSUBSCRIBE -> sees ? Verdict.refuse(ErrorCondition.NOT_ALLOWED) : null;
      case UNSUBSCRIBED -> isSeen ? Verdict.refuse(ErrorCondition.NOT_ALLOWED) : null;
      case AVAILABLE, UNAVAILABLE, PROBE, ERROR -> null;
    };
  }

  private boolean isFull(Roster roster, Jid contact) {
    return roster.listed() >= maxItems.getAsInt()
        || roster.listedBytes() + Roster.bytes(contact, null, List.of()) > maxBytes.getAsInt();
  }

  /// Whether the stanza adds the contact to the roster that clients see.
  private static boolean addsToRoster(Step step) {
    SubscriptionState next = step.transition.next();
    return next.subscription() != Subscription.NONE
        || next.pendingOut()
        || step.transition.effect() == Effect.APPROVE_IN_ADVANCE;
  }

  /// Sections 3.1.5 and 3.4.2: the contact gets the stanza first, and then the presence.
  private void approve(Step step, Presence stamped, boolean passOn) {
    boolean inAdvance = step.transition.effect() == Effect.APPROVE_IN_ADVANCE;
    boolean approved = inAdvance || (!passOn && step.wasApproved());
    store(
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

  /// Section 3.2.2: the contact gets unavailable presence first, and then the stanza.
  private void refuse(Step step, Presence stamped, boolean passOn) {
    boolean sawUser = step.state().subscription().from();
    store(
        step,
        false,
        null,
        !passOn
            ? Subscriptions::nothing
            : () -> {
              if (sawUser && !rosters.of(step.home).showsPresenceTo(step.contact)) {
                sender.hideSessions(step.home, step.contact);
              }
              sender.send(stamped, step.home.jid(), step.contact);
            });
  }

  // --- sent by the contact ----------------------------------------------------------------------

  /// Handles a stanza of a contact at this account's home.
  Verdict inbound(Presence presence, Home home) {
    Jid from = presence.from();
    if (from == null || !home.exists() || from.bare().equals(home.jid())) {
      return Verdict.handled();
    }
    Jid contact = from.bare();
    RosterItem before = rosters.of(home).stored(contact);
    if (presence.type() == Presence.Type.SUBSCRIBE && rosters.of(home).shared().isSeenBy(contact)) {
      sender.send(Presence.Type.SUBSCRIBED, home.jid(), contact);
      return Verdict.handled();
    }
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    if (presence.type() == Presence.Type.SUBSCRIBE && isInvited(home, presence, before, state)) {
      acceptInvited(home, contact, before, state);
      return Verdict.handled();
    }
    boolean approved = before != null && before.approved();
    Step step = new Step(home, contact, before, state.inbound(presence.type(), approved));
    Presence stamped = presence.withAddresses(contact, home.jid());
    switch (step.transition.effect()) {
      case DROP, APPROVE_IN_ADVANCE -> {}
      case ANSWER_SUBSCRIBED -> answerSubscribed(step);
      case PASS_ON -> {
        if (presence.type() == Presence.Type.SUBSCRIBE) {
          storeRequest(step, stamped);
        } else {
          deliverAnswer(step, stamped);
        }
      }
    }
    return Verdict.handled();
  }

  /// Whether the user has invited the sender of the request (XEP-0379). An invitation is not used
  /// by a request that would change nothing, nor if the roster is full: then the user decides.
  private boolean isInvited(
      Home home, Presence request, @Nullable RosterItem before, SubscriptionState state) {
    boolean listed = before != null && before.listed();
    Jid contact = Objects.requireNonNull(request.from()).bare();
    return invited.isCandidate(request)
        && state.subscription() != Subscription.BOTH
        && (listed || !isFull(rosters.of(home), contact))
        && invited.approve(home, request);
  }

  /// XEP-0379, section 3.4: approves the request and sends one in return.
  private void acceptInvited(
      Home home, Jid contact, @Nullable RosterItem before, SubscriptionState state) {
    subscribe(home, contact, approveRequest(home, contact, before, state));
  }

  /// Approves the request of a contact whose old address is `old`, and revokes the approval of that
  /// one; false if the roster is full.
  boolean acceptMoved(Home home, Jid contact, Jid old) {
    RosterItem before = rosters.of(home).stored(contact);
    if ((before == null || !before.listed()) && isFull(rosters.of(home), contact)) {
      return false;
    }
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    SubscriptionState approved = approveRequest(home, contact, before, state);
    RosterItem former = rosters.of(home).stored(old);
    if (former != null) {
      SubscriptionState had = SubscriptionState.of(former);
      Transition revocation = had.outbound(Presence.Type.UNSUBSCRIBED);
      refuse(
          new Step(home, old, former, revocation),
          Presence.of(Presence.Type.UNSUBSCRIBED, home.jid(), old, null, List.of()),
          revocation.effect() == Effect.PASS_ON);
      if (had.subscription() == Subscription.BOTH) {
        subscribe(home, contact, approved);
      }
    }
    return true;
  }

  /// Stores a request that another module holds back, without delivering it.
  ///
  /// @return false if it is to be handled as usual: it was approved in advance or by an invitation,
  ///   or there is no room for it
  boolean keepRequest(Presence request, Home home) {
    Jid contact = Objects.requireNonNull(request.from()).bare();
    RosterItem before = rosters.of(home).stored(contact);
    SubscriptionState state =
        before == null ? SubscriptionState.NONE : SubscriptionState.of(before);
    if (state.pendingIn()) {
      return true; // stored before the home moved or the server was killed
    }
    boolean approved = before != null && before.approved();
    Step step = new Step(home, contact, before, state.inbound(request.type(), approved));
    if (step.transition.effect() != Effect.PASS_ON
        || invited.isCandidate(request)
        || !hasRoomForRequest(step)) {
      return false;
    }
    Presence stamped = request.withAddresses(contact, home.jid());
    Presence stored = requests.bounded(stamped, rosters.of(home));
    store(step, step.wasApproved(), stored, Subscriptions::nothing);
    return true;
  }

  /// Delivers a request that was held back, if it is still unanswered.
  void releaseRequest(Presence request, Home home) {
    Jid contact = Objects.requireNonNull(request.from()).bare();
    if (isPending(home, contact)) {
      deliver(home, request.withAddresses(contact, home.jid()));
    }
  }

  /// Whether the contact's request is unanswered.
  boolean isPending(Home home, Jid contact) {
    RosterItem item = rosters.of(home).stored(contact);
    return item != null && item.request() != null;
  }

  private SubscriptionState approveRequest(
      Home home, Jid contact, @Nullable RosterItem before, SubscriptionState state) {
    Transition approval =
        state.pendingIn()
            ? state.outbound(Presence.Type.SUBSCRIBED)
            : state.inbound(Presence.Type.SUBSCRIBE, true);
    answerSubscribed(new Step(home, contact, before, approval));
    return approval.next();
  }

  /// Requests the presence of a contact, unless that is done.
  private void subscribe(Home home, Jid contact, SubscriptionState approved) {
    if (!approved.subscription().to() && !approved.pendingOut()) {
      Transition request = approved.outbound(Presence.Type.SUBSCRIBE);
      Step step = new Step(home, contact, rosters.of(home).stored(contact), request);
      store(
          step,
          step.wasApproved(),
          null,
          () -> sender.send(Presence.Type.SUBSCRIBE, home.jid(), contact));
    }
  }

  /// Adds a contact with a mutual subscription, which the other side has too; false if the roster
  /// is full.
  boolean addContact(Home home, Jid contact) {
    RosterItem before = rosters.of(home).stored(contact);
    if ((before == null || !before.listed()) && isFull(rosters.of(home), contact)) {
      return false;
    }
    Step step =
        new Step(
            home,
            contact,
            before,
            new Transition(Effect.ANSWER_SUBSCRIBED, SubscriptionState.BOTH));
    store(step, false, null, () -> sender.showSessions(home, contact));
    return true;
  }

  /// The same for a contact in a group. A contact that has as many groups as it may have stays in
  /// these.
  ///
  /// @param isKnown whether the other side has the user in its roster already: then each gets the
  ///   other's presence
  boolean addContact(Home home, Jid contact, String group, boolean isKnown) {
    Roster roster = rosters.of(home);
    RosterItem before = roster.stored(contact);
    boolean isNew = before == null || !before.listed();
    if (isNew && isFull(roster, contact)) {
      return false;
    }
    List<String> groups = new ArrayList<>(before == null ? List.of() : before.groups());
    if (!groups.contains(group) && groups.size() < maxGroups.getAsInt()) {
      groups.add(group);
    }
    RosterItem after =
        new RosterItem(
            contact,
            before == null ? null : before.name(),
            Subscription.BOTH,
            false,
            false,
            groups,
            null,
            true);
    int more = bytes(after) - (isNew ? 0 : bytes(before));
    if (more > 0 && roster.listedBytes() + more > maxBytes.getAsInt()) {
      return false;
    }
    boolean wasMutual = before != null && before.subscription() == Subscription.BOTH;
    rosters.put(home, after);
    if (isKnown && !wasMutual) {
      sender.showSessions(home, contact);
      if (home.sessions().stream().anyMatch(Session::available)) {
        sender.send(Presence.Type.PROBE, home.jid(), contact);
      }
    }
    return true;
  }

  private static int bytes(@Nullable RosterItem item) {
    return item == null ? 0 : Roster.bytes(item.jid(), item.name(), item.groups());
  }

  /// Section 3.1.3: a contact that is subscribed or pre-approved is answered at once.
  private void answerSubscribed(Step step) {
    boolean used = step.transition.next() != step.state();
    store(
        step,
        step.wasApproved() && !used,
        null,
        () -> {
          sender.send(Presence.Type.SUBSCRIBED, step.home.jid(), step.contact);
          sender.showSessions(step.home, step.contact);
        });
  }

  /// Section 3.1.3: stores the request until it is answered, and delivers it to available sessions.
  private void storeRequest(Step step, Presence stamped) {
    if (!hasRoomForRequest(step)) {
      return;
    }
    Presence stored = requests.bounded(stamped, rosters.of(step.home));
    store(step, step.wasApproved(), stored, () -> deliver(step.home, stamped));
  }

  private boolean hasRoomForRequest(Step step) {
    return step.before != null || requests.makeRoom(step.home, step.contact);
  }

  private static void deliver(Home home, Presence request) {
    for (Session session : home.sessions()) {
      if (session.available()) {
        session.send(request);
      }
    }
  }

  /// Sections 3.1.6, 3.2.3 and 3.3.3: interested sessions get the stanza and then the roster push.
  private void deliverAnswer(Step step, Presence stamped) {
    boolean sawUser = step.state().subscription().from();
    store(
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
    if (sawUser
        && !step.transition.next().subscription().from()
        && !rosters.of(step.home).showsPresenceTo(step.contact)) {
      sender.hideSessions(step.home, step.contact);
    }
  }

  private static void nothing() {}

  // --- storing ----------------------------------------------------------------------------------

  /// Stores the contact's new state, runs `notify`, and then sends the roster push.
  private void store(Step step, boolean approved, @Nullable Presence newRequest, Runnable notify) {
    SubscriptionState next = step.transition.next();
    RosterItem before = step.before;
    boolean listed =
        step.wasListed()
            || approved
            || next.pendingOut()
            || next.subscription() != Subscription.NONE;
    Presence request = newRequest == null && before != null ? before.request() : newRequest;
    if (!listed && !next.pendingIn()) {
      rosters.remove(step.home, step.contact, notify);
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
    rosters.put(step.home, after, notify);
  }
}
