package im.zonda.module.roster;

/// What a subscription stanza does: one cell of the tables in RFC 6121, appendix A.
///
/// @param effect what becomes of the stanza
/// @param next the state afterwards; the same state where the appendix says "no state change"
public record Transition(Effect effect, SubscriptionState next) {
  /// What becomes of a subscription stanza.
  public enum Effect {
    /// It goes on: routed to the contact (outbound) or delivered to the user (inbound).
    PASS_ON,
    /// It ends here and nobody is told.
    DROP,
    /// It ends here; a later request of the contact is approved in advance (section 3.4).
    APPROVE_IN_ADVANCE,
    /// It ends here; the server answers `subscribed` in the user's name (section 3.1.3).
    ANSWER_SUBSCRIBED
  }
}
