package im.zonda.module.roster;

/// The effect of a subscription stanza: one cell of the tables in RFC 6121, appendix A.
///
/// @param effect what to do with the stanza
/// @param next the next state; the same one for "no state change"
public record Transition(Effect effect, SubscriptionState next) {
  /// What to do with a subscription stanza.
  public enum Effect {
    /// Route it to the contact (outbound) or deliver it to the user (inbound).
    PASS_ON,
    /// Ignore it.
    DROP,
    /// Ignore it, and pre-approve a later request of the contact (section 3.4).
    APPROVE_IN_ADVANCE,
    /// Answer `subscribed` on behalf of the user (section 3.1.3).
    ANSWER_SUBSCRIBED
  }
}
