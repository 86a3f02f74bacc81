package im.zonda.console.login;

import im.zonda.console.factor.Factors;
import im.zonda.console.factor.Passkey;
import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on the second factors of administrators.
///
/// @param factors the second factors
public record FactorOperations(Factors factors) {
  /// An account.
  public record Chosen(@Field("the account") Jid account) {}

  /// A passkey.
  public record Key(
      @Field("by what its owner knows it") String name,
      @Field("the site for which it is") String site,
      @Field("when it was registered") Instant created,
      @Field("when it was used last") @Nullable Instant used) {}

  /// The second factors of an account.
  public record Shown(
      @Field("whether a password alone does not sign in") boolean needed,
      @Field("since when one-time codes are asked for") @Nullable Instant codesSince,
      @Field("the number of recovery codes that were not used") int recoveryCodes,
      @Field("the passkeys") List<Key> passkeys) {}

  /// `admin.factors`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("admin.factors", Right.ACCOUNTS)
          .at(
              "GET /accounts/{account}/factors",
              "Show the second factors with which an account signs in to the admin console",
              Chosen.class,
              Shown.class);

  /// `admin.reset-factor`.
  public static final Operation<Chosen, Nothing> RESET =
      Operation.destroy("admin.reset-factor", Right.ACCOUNTS)
          .at(
              "DELETE /accounts/{account}/factors",
              "Remove the second factors of an account, whose owner has lost them",
              Chosen.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(SHOW, RESET);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        SHOW.by((_, chosen) -> Outcome.done(show(chosen.account()))), RESET.by(this::reset));
  }

  private Shown show(Jid account) {
    Factors.State state = factors.of(account.bare());
    return new Shown(
        state.any(),
        state.codes(),
        state.recoveryCodes(),
        state.passkeys().stream().map(FactorOperations::key).toList());
  }

  private static Key key(Passkey passkey) {
    return new Key(passkey.label(), passkey.site(), passkey.created(), passkey.used());
  }

  /// A hijacker of a session must not be able to remove the factors of its owner: one's own are
  /// removed with a code, on the page for it.
  private Outcome<Nothing> reset(Call call, Chosen chosen) {
    Jid account = chosen.account().bare();
    boolean own = call.caller().name().equals(account.toString());
    if (own && call.caller().via() != Caller.Via.SOCKET) {
      return Outcome.refused(
          Reason.FORBIDDEN,
          "Your own second factors are removed on the page Signing in, with a code, or by another"
              + " administrator.");
    }
    if (!factors.reset(account)) {
      return Outcome.notFound("The account " + account + " has no second factor.");
    }
    call.changed("second factors", "some", null);
    return Nothing.done();
  }
}
