package im.zonda.module.registration;

import im.zonda.directory.SignUp;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.module.invitations.Invitation;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.stanza.ErrorCondition;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Creates accounts for people who fill in a form of a page: they are clients without a stream.
///
/// @param creation creates the accounts, and counts what each address tries
/// @param tokens counts the tokens that each address tries
/// @param minPasswordLength the minimum number of characters of a password
record PageSignUp(AccountCreation creation, PreAuthentication tokens, int minPasswordLength)
    implements SignUp {
  /// A browser. It keeps nothing: its invitation is looked up for each form.
  private record Browser(InetAddress address) implements Client {
    @Override
    public <T> @Nullable T get(Class<T> type) {
      return null;
    }

    @Override
    public <T> void keep(Class<T> type, T value) {}

    @Override
    public void forget(Class<?> type) {}
  }

  @Override
  public boolean isOpen() {
    return creation.isOpen();
  }

  @Override
  public @Nullable OpenInvitation find(String token, InetAddress address) {
    Invitation invitation = tokens.find(token, address);
    if (invitation == null) {
      return null;
    }
    Jid owner = invitation.owner();
    return new OpenInvitation(
        InvitationModule.uri(invitation, token),
        owner.local() == null ? null : owner,
        invitation.registers(),
        invitation.username(),
        invitation.expiry());
  }

  @Override
  public @Nullable String question() {
    Challenges challenges = creation.challenges();
    return challenges == null ? null : challenges.question();
  }

  @Override
  public Result signUp(Form form, InetAddress address) {
    String token = form.token();
    Invitation invitation = token == null ? null : tokens.find(token, address);
    if (token != null && (invitation == null || !invitation.registers())) {
      return new Result.Refused(Reason.NO_INVITATION);
    }
    if (invitation == null && !isOpen()) {
      return new Result.Refused(Reason.CLOSED);
    }
    Challenges challenges = creation.challenges();
    if (challenges != null
        && invitation == null
        && challenges.judge(form.answer(), address) instanceof IqReply.Refuse(var error)) {
      return new Result.Refused(
          error.condition() == ErrorCondition.RESOURCE_CONSTRAINT
              ? Reason.TOO_MANY
              : Reason.WRONG_ANSWER);
    }
    return creation.create(form.username(), form.password(), invitation, new Browser(address));
  }

  @Override
  public NameCheck checkName(@Nullable String token, String username, InetAddress address) {
    return creation.checkName(token, username, address);
  }
}
