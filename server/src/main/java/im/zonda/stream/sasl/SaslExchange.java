package im.zonda.stream.sasl;

import im.zonda.auth.provider.Admission;
import im.zonda.auth.provider.ProviderChain;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.session.ClientNetwork;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.Stream;
import im.zonda.stream.sasl.ScramServer.ClientFirst;
import im.zonda.throttle.LoginThrottle;
import org.jspecify.annotations.Nullable;

/// One attempt to authenticate with a password, token or certificate, or as a guest, whichever
/// profile of SASL carries its messages. Confined to the stream's thread.
public final class SaslExchange {
  /// Carries messages to the client and gets the outcome of the attempt.
  public interface Profile {
    /// Sends a challenge; one of no bytes asks for the initial response.
    void challenge(byte[] message);

    /// Checks an authorization identity that the client has given, which is its own account.
    ///
    /// @throws SaslFailure if it may not
    default void checkAuthzid(Jid account) throws SaslFailure {}

    /// The client has proved its identity.
    ///
    /// @param data additional data with success; none if empty
    void succeeded(Jid account, byte[] data);

    /// The attempt is over; another may follow.
    void failed(SaslFailure failure);
  }

  private static final byte[] NOTHING = new byte[0];

  private final LoginAttempts attempts;
  private final Stream stream;
  private final SaslContext context;
  private final SaslRealm host;
  private final SaslOffer offer;
  private final SaslMechanism mechanism;
  private final Profile profile;
  private final @Nullable BearerExchange bearer;
  private @Nullable ScramServer scram;
  private @Nullable Jid claimed;
  private @Nullable ScramKeys proved;
  private boolean disabled;

  /// The condition that the client gets if its proof is not right.
  private SaslCondition refusal = SaslCondition.NOT_AUTHORIZED;

  private String name = "";

  public SaslExchange(
      LoginAttempts attempts,
      SaslRealm host,
      SaslOffer offer,
      SaslMechanism mechanism,
      Profile profile) {
    this.attempts = attempts;
    this.stream = attempts.stream();
    this.context = attempts.context();
    this.host = host;
    this.offer = offer;
    this.mechanism = mechanism;
    this.profile = profile;
    this.bearer =
        mechanism == SaslMechanism.OAUTHBEARER ? new BearerExchange(attempts, host, profile) : null;
    attempts.begin(mechanism.saslName());
  }

  public SaslMechanism mechanism() {
    return mechanism;
  }

  /// The account that the client claims; null before it has, or if no account can have that name.
  public @Nullable Jid claimed() {
    return bearer == null ? claimed : bearer.claimed();
  }

  /// The keys of the account by which the client has proved the password; null if it has none.
  public @Nullable ScramKeys proved() {
    return proved;
  }

  /// Whether the client's first message is empty if it sends none (XEP-0175, section 4); otherwise
  /// it is asked for it.
  public boolean mayBeginEmpty() {
    return mechanism == SaslMechanism.ANONYMOUS;
  }

  /// Takes a message from the client.
  ///
  /// @throws SaslFailure if the attempt is over
  public void handleMessage(byte[] message) throws SaslFailure {
    if (bearer != null) {
      bearer.handleMessage(message);
      return;
    }
    ScramServer exchange = scram;
    if (exchange == null) {
      first(message);
      return;
    }
    LoginThrottle.Attempt attempt = attempt();
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    try {
      byte[] serverFinal = exchange.finish(message);
      Jid account = claimed;
      ProviderChain chain = account == null ? null : host.accounts().chain(account.domain());
      if (account == null || chain == null) {
        answer(attempt, true, serverFinal, "no such account");
      } else {
        ScramKeys keys = proved;
        admit(attempt, () -> new Checked(chain.admit(account), keys), serverFinal);
      }
    } catch (SaslFailure failure) {
      if (failure.condition() != SaslCondition.NOT_AUTHORIZED) {
        throw failure;
      }
      answer(attempt, false, NOTHING, String.valueOf(failure.getMessage()));
    }
  }

  private void first(byte[] message) throws SaslFailure {
    if (mechanism == SaslMechanism.PLAIN) {
      plain(PlainMessage.parse(message));
      return;
    }
    if (mechanism == SaslMechanism.EXTERNAL) {
      external(message);
      return;
    }
    if (mechanism == SaslMechanism.ANONYMOUS) {
      TraceInformation.check(message);
      ClientNetwork network = ClientNetwork.of(stream.transport().remoteAddress());
      Jid guest = host.guests().enter(network);
      claimed = guest;
      profile.succeeded(guest, NOTHING);
      return;
    }
    ScramServer exchange = new ScramServer(mechanism, offer, context.runtime().ids().next());
    ClientFirst first = exchange.clientFirst(message);
    claim(first.name(), first.authzid());
    scram = exchange;
    stream.runBlocking(
        () -> {
          try {
            ScramKeys keys = context.authenticator().keys(host, first.name(), mechanism.hash());
            boolean refused = isDisabled();
            String protection = offer.downgradeProtection(mechanism.hash());
            return () -> {
              disabled = refused;
              proved = keys;
              profile.challenge(exchange.serverFirst(keys, protection));
            };
          } catch (SaslFailure failure) {
            return () -> profile.failed(failure);
          }
        },
        this::failInternally);
  }

  private void plain(PlainMessage message) throws SaslFailure {
    claim(message.name(), message.authzid());
    LoginThrottle.Attempt attempt = attempt();
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    // Before the check: if they are replaced meanwhile, nothing is added to the new ones.
    Checking checking =
        () -> {
          ScramKeys before = anyKeys();
          Admission admission =
              context
                  .authenticator()
                  .checkPassword(
                      host, message.name(), message.password(), attempt, mechanism.saslName());
          return new Checked(admission, before);
        };
    admit(attempt, checking, NOTHING);
  }

  /// RFC 4422, appendix A: the message is the authorization identity, which may be empty.
  private void external(byte[] message) throws SaslFailure {
    PeerCertificates peer = stream.transport().peerCertificates();
    if (peer == null) {
      throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, "no certificate");
    }
    String authzid = SaslText.decode(message, 0, message.length);
    // The certificate was found to be right before the mechanism was offered.
    refusal = SaslCondition.INVALID_AUTHZID;
    if (authzid.isEmpty()) {
      name = "certificate-" + peer.chain().getFirst().getSerialNumber().toString(16);
    } else {
      name = local(authzid);
      claim(name, authzid);
    }
    LoginThrottle.Attempt attempt = attempt();
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    String local = authzid.isEmpty() ? null : name;
    admit(
        attempt,
        () -> new Checked(host.accounts().checkCertificate(local, peer.chain()), null),
        NOTHING);
  }

  /// The local part, prepared, of an address of the host.
  private String local(String address) throws SaslFailure {
    try {
      Jid jid = Jid.of(address);
      String local = jid.local();
      if (local != null && jid.resource() == null && jid.domain().equals(host.domain().domain())) {
        return local;
      }
    } catch (JidFormatException e) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not an address");
    }
    throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "no account of the host");
  }

  /// Whether someone may log in. Blocks.
  private interface Checking {
    Checked check() throws SaslFailure, InterruptedException;
  }

  /// @param keys by which the password was proved, or null
  private record Checked(Admission admission, @Nullable ScramKeys keys) {}

  /// Asks whether the client may log in, and answers it.
  ///
  /// @param data additional data with success
  private void admit(LoginThrottle.Attempt attempt, Checking checking, byte[] data) {
    stream.runBlocking(
        () -> {
          try {
            Checked checked = checking.check();
            boolean refused =
                switch (checked.admission()) {
                  case Admission.Admitted(Jid account, boolean _) ->
                      host.accounts().isDisabled(account);
                  case Admission.Disabled _ -> true;
                  case Admission.Refused _, Admission.Unavailable _ -> false;
                };
            return () -> admitted(attempt, checked, refused, data);
          } catch (SaslFailure failure) {
            return () -> profile.failed(failure);
          }
        },
        this::failInternally);
  }

  private void admitted(
      LoginThrottle.Attempt attempt, Checked checked, boolean refused, byte[] data) {
    disabled = refused;
    try {
      switch (checked.admission()) {
        case Admission.Admitted(Jid account, boolean own) -> {
          claimed = account;
          proved = own ? checked.keys() : null; // keys are added to those that are kept here only
          answer(attempt, true, data, "");
        }
        case Admission.Disabled(Jid account) -> {
          claimed = account;
          answer(attempt, true, data, "");
        }
        case Admission.Refused(String reason) -> answer(attempt, false, NOTHING, reason);
        case Admission.Unavailable(String reason) -> throw Authenticator.unavailable(reason);
      }
    } catch (SaslFailure failure) {
      profile.failed(failure);
    }
  }

  private @Nullable ScramKeys anyKeys() {
    Jid account = claimed;
    Account found = account == null ? null : host.accounts().find(account);
    return found == null || found.keys().isEmpty() ? null : found.keys().getFirst();
  }

  /// Whether the account that is claimed is disabled. Blocks.
  private boolean isDisabled() {
    Jid account = claimed;
    return account != null && host.accounts().isDisabled(account);
  }

  private LoginThrottle.Attempt attempt() {
    return attempts.attempt(host, name, claimed);
  }

  /// Answers the client as soon as it may be answered. That an account is disabled is said only to
  /// those who have proved that it is theirs.
  ///
  /// @param data additional data with success
  /// @param reason why it has failed, if it has; for the log
  /// @throws SaslFailure if the attempt is rejected
  private void answer(LoginThrottle.Attempt attempt, boolean right, byte[] data, String reason)
      throws SaslFailure {
    Jid account = right ? claimed : null;
    Runnable tell =
        account == null
            ? () -> profile.failed(new SaslFailure(refusal, reason))
            : disabled
                ? () -> profile.failed(new SaslFailure(SaslCondition.ACCOUNT_DISABLED, "disabled"))
                : () -> profile.succeeded(account, data);
    attempts.answerWhenDue(attempt, account != null, tell);
  }

  private void failInternally(Exception cause) {
    profile.failed(LoginAttempts.internalFailure(host, cause));
  }

  /// Remembers the account that the client claims. It may act for no other (RFC 6120, section
  /// 6.3.8).
  private void claim(String user, String authzid) throws SaslFailure {
    Jid own = Authenticator.account(host, user);
    name = user;
    claimed = own;
    if (authzid.isEmpty()) {
      return;
    }
    try {
      if (own == null || !Jid.of(authzid).equals(own)) {
        throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "another account");
      }
      profile.checkAuthzid(own);
    } catch (JidFormatException e) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not an address");
    }
  }
}
