package im.zonda.module.roster;

import im.zonda.module.roster.Transition.Effect;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;

/// The nine subscription states of a contact and the transitions that subscription stanzas cause
/// (RFC 6121, appendix A).
///
/// "To": the user sees the contact's presence. "From": the contact sees the user's. "Pending out":
/// the user's request is unanswered. "Pending in": the contact's request is unanswered.
public enum SubscriptionState {
  NONE(Subscription.NONE, false, false),
  NONE_PENDING_OUT(Subscription.NONE, true, false),
  NONE_PENDING_IN(Subscription.NONE, false, true),
  NONE_PENDING_OUT_IN(Subscription.NONE, true, true),
  TO(Subscription.TO, false, false),
  TO_PENDING_IN(Subscription.TO, false, true),
  FROM(Subscription.FROM, false, false),
  FROM_PENDING_OUT(Subscription.FROM, true, false),
  BOTH(Subscription.BOTH, false, false);

  private final Subscription subscription;
  private final boolean pendingOut;
  private final boolean pendingIn;

  SubscriptionState(Subscription subscription, boolean pendingOut, boolean pendingIn) {
    this.subscription = subscription;
    this.pendingOut = pendingOut;
    this.pendingIn = pendingIn;
  }

  /// The state of an item. A request for a subscription that exists does not count as pending.
  public static SubscriptionState of(RosterItem item) {
    return of(item.subscription(), item.ask(), item.request() != null);
  }

  private static SubscriptionState of(Subscription subscription, boolean out, boolean in) {
    return switch (subscription) {
      case NONE ->
          out ? (in ? NONE_PENDING_OUT_IN : NONE_PENDING_OUT) : (in ? NONE_PENDING_IN : NONE);
      case TO -> in ? TO_PENDING_IN : TO;
      case FROM -> out ? FROM_PENDING_OUT : FROM;
      case BOTH -> BOTH;
    };
  }

  /// The subscription.
  public Subscription subscription() {
    return subscription;
  }

  /// Whether the user's request is pending.
  public boolean pendingOut() {
    return pendingOut;
  }

  /// Whether the contact's request is pending.
  public boolean pendingIn() {
    return pendingIn;
  }

  /// The transition for a stanza that the user sends to the contact (appendix A.2).
  ///
  /// @param stanza one of the four subscription types
  public Transition outbound(Presence.Type stanza) {
    return switch (stanza) {
      case SUBSCRIBE -> outboundSubscribe();
      case UNSUBSCRIBE -> outboundUnsubscribe();
      case SUBSCRIBED -> outboundSubscribed();
      case UNSUBSCRIBED -> outboundUnsubscribed();
      case AVAILABLE, UNAVAILABLE, PROBE, ERROR ->
          throw new IllegalArgumentException(stanza.name());
    };
  }

  /// The transition for a stanza that the contact sends to the user (appendix A.3).
  ///
  /// @param stanza one of the four subscription types
  /// @param approved whether the user has pre-approved a request
  public Transition inbound(Presence.Type stanza, boolean approved) {
    return switch (stanza) {
      case SUBSCRIBE -> inboundSubscribe(approved);
      case UNSUBSCRIBE -> inboundUnsubscribe();
      case SUBSCRIBED -> inboundSubscribed();
      case UNSUBSCRIBED -> inboundUnsubscribed();
      case AVAILABLE, UNAVAILABLE, PROBE, ERROR ->
          throw new IllegalArgumentException(stanza.name());
    };
  }

  /// A.2.1: always routed, so that both servers can synchronize.
  private Transition outboundSubscribe() {
    return switch (this) {
      case NONE -> passOn(NONE_PENDING_OUT);
      case NONE_PENDING_IN -> passOn(NONE_PENDING_OUT_IN);
      case FROM -> passOn(FROM_PENDING_OUT);
      case NONE_PENDING_OUT, NONE_PENDING_OUT_IN, TO, TO_PENDING_IN, FROM_PENDING_OUT, BOTH ->
          passOn(this);
    };
  }

  /// A.2.2: always routed.
  private Transition outboundUnsubscribe() {
    return switch (this) {
      case NONE_PENDING_OUT, TO -> passOn(NONE);
      case NONE_PENDING_OUT_IN, TO_PENDING_IN -> passOn(NONE_PENDING_IN);
      case FROM_PENDING_OUT, BOTH -> passOn(FROM);
      case NONE, NONE_PENDING_IN, FROM -> passOn(this);
    };
  }

  /// A.2.3: without a pending request it is a pre-approval (section 3.4.2).
  private Transition outboundSubscribed() {
    return switch (this) {
      case NONE_PENDING_IN -> passOn(FROM);
      case NONE_PENDING_OUT_IN -> passOn(FROM_PENDING_OUT);
      case TO_PENDING_IN -> passOn(BOTH);
      case NONE, NONE_PENDING_OUT, TO -> new Transition(Effect.APPROVE_IN_ADVANCE, this);
      case FROM, FROM_PENDING_OUT, BOTH -> drop();
    };
  }

  /// A.2.4: also ends a pre-approval, which is up to the caller.
  private Transition outboundUnsubscribed() {
    return switch (this) {
      case NONE_PENDING_IN, FROM -> passOn(NONE);
      case NONE_PENDING_OUT_IN, FROM_PENDING_OUT -> passOn(NONE_PENDING_OUT);
      case TO_PENDING_IN, BOTH -> passOn(TO);
      case NONE, NONE_PENDING_OUT, TO -> drop();
    };
  }

  /// A.3.1.
  private Transition inboundSubscribe(boolean approved) {
    return switch (this) {
      case NONE -> approved ? answer(FROM) : passOn(NONE_PENDING_IN);
      case NONE_PENDING_OUT -> approved ? answer(FROM_PENDING_OUT) : passOn(NONE_PENDING_OUT_IN);
      case TO -> approved ? answer(BOTH) : passOn(TO_PENDING_IN);
      case NONE_PENDING_IN, NONE_PENDING_OUT_IN, TO_PENDING_IN -> drop();
      case FROM, FROM_PENDING_OUT, BOTH -> answer(this);
    };
  }

  /// A.3.2.
  private Transition inboundUnsubscribe() {
    return switch (this) {
      case NONE_PENDING_IN, FROM -> passOn(NONE);
      case NONE_PENDING_OUT_IN, FROM_PENDING_OUT -> passOn(NONE_PENDING_OUT);
      case TO_PENDING_IN, BOTH -> passOn(TO);
      case NONE, NONE_PENDING_OUT, TO -> drop();
    };
  }

  /// A.3.3: ignored without a pending request.
  private Transition inboundSubscribed() {
    return switch (this) {
      case NONE_PENDING_OUT -> passOn(TO);
      case NONE_PENDING_OUT_IN -> passOn(TO_PENDING_IN);
      case FROM_PENDING_OUT -> passOn(BOTH);
      case NONE, NONE_PENDING_IN, TO, TO_PENDING_IN, FROM, BOTH -> drop();
    };
  }

  /// A.3.4.
  private Transition inboundUnsubscribed() {
    return switch (this) {
      case NONE_PENDING_OUT, TO -> passOn(NONE);
      case NONE_PENDING_OUT_IN, TO_PENDING_IN -> passOn(NONE_PENDING_IN);
      case FROM_PENDING_OUT, BOTH -> passOn(FROM);
      case NONE, NONE_PENDING_IN, FROM -> drop();
    };
  }

  private static Transition passOn(SubscriptionState next) {
    return new Transition(Effect.PASS_ON, next);
  }

  private static Transition answer(SubscriptionState next) {
    return new Transition(Effect.ANSWER_SUBSCRIBED, next);
  }

  private Transition drop() {
    return new Transition(Effect.DROP, this);
  }
}
