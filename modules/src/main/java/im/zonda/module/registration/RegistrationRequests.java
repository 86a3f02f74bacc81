package im.zonda.module.registration;

import im.zonda.directory.SignUp.Reason;
import im.zonda.directory.SignUp.Result;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.module.invitations.Invitation;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Answers clients that have not authenticated and want to register (XEP-0077, section 3.1).
final class RegistrationRequests {
  private final Jid host;
  private final int minPasswordLength;
  private final AccountCreation creation;

  RegistrationRequests(ModuleContext context, AccountCreation creation) {
    host = context.domain();
    minPasswordLength = context.config().registration().minPasswordLength();
    this.creation = creation;
  }

  /// Answers with the fields that are required, and with a form for the same. If a question has to
  /// be answered, there is only the form: a client that knows no forms cannot register.
  IqReply describe(Iq iq, Element query, Client client) {
    if (!isForHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Invitation invitation = PreAuthentication.invitationOf(client, host);
    if (!creation.isOpen() && invitation == null) {
      return refusal(Reason.CLOSED, null);
    }
    String username = invitation == null ? null : invitation.username();
    String instructions =
        username == null ? "Choose a username and a password." : "Choose a password.";
    Element.Builder answer = Element.builder(RegistrationModule.QUERY);
    Challenges challenges = creation.challenges();
    if (challenges != null && invitation == null) {
      String all = "Choose a username and a password, and answer the question.";
      return IqReply.result(
          answer
              .child("instructions", all)
              .child(RegistrationForm.toFillIn(null, all, challenges.ask(iq, client)))
              .build());
    }
    return IqReply.result(
        answer
            .child("instructions", instructions)
            .child("username", username == null ? "" : username)
            .child(Element.of(RegistrationModule.NAMESPACE, "password"))
            .child(RegistrationForm.toFillIn(username, instructions, null))
            .build());
  }

  /// Creates an account.
  IqReply create(Iq iq, Element query, Client client) {
    if (!isForHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (query.child("remove") != null) {
      return IqReply.refuse(ErrorCondition.UNEXPECTED_REQUEST);
    }
    Invitation invitation = PreAuthentication.invitationOf(client, host);
    if (!creation.isOpen() && invitation == null) {
      return refusal(Reason.CLOSED, null);
    }
    RegistrationForm form = RegistrationForm.of(query);
    if (form == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "Send either the completed form or the fields.");
    }
    Challenges challenges = creation.challenges();
    IqReply wrong =
        challenges == null || invitation != null ? null : challenges.judge(form, client);
    if (wrong != null) {
      return wrong;
    }
    String username = form.username() == null ? "" : form.username();
    String password = form.password() == null ? "" : form.password();
    return switch (creation.create(username, password, invitation, client)) {
      case Result.Created _ -> IqReply.empty();
      case Result.Refused(var reason) ->
          refusal(reason, invitation == null ? null : invitation.username());
    };
  }

  private IqReply refusal(Reason reason, @Nullable String invited) {
    return switch (reason) {
      case CLOSED ->
          IqReply.refuse(
              ErrorCondition.NOT_ALLOWED,
              "Accounts are created by invitation only on this server.");
      case NO_INVITATION ->
          IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, PreAuthentication.NO_INVITATION);
      case TOO_MANY ->
          IqReply.refuse(
              ErrorCondition.RESOURCE_CONSTRAINT,
              "Too many accounts have been created from your address. Try again later.");
      case NAME_TAKEN -> IqReply.refuse(ErrorCondition.CONFLICT);
      case NAME_RESERVED ->
          IqReply.refuse(
              ErrorCondition.CONFLICT,
              "The username is reserved by an invitation. Register with that invitation, or choose"
                  + " another username.");
      case NAME_EMPTY, PASSWORD_EMPTY -> notAcceptable("Username and password are required.");
      case NAME_SPACE -> notAcceptable("The username must not have spaces.");
      case NAME_AT -> notAcceptable("The username is the part of the address before the @.");
      case NAME_CHARACTER -> notAcceptable("The username has a character that is not allowed.");
      case NAME_TOO_LONG -> notAcceptable("The username is too long.");
      case NAME_OTHER -> notAcceptable("The invitation is for the username " + invited + ".");
      case PASSWORD_TOO_SHORT ->
          notAcceptable("The password must have at least " + minPasswordLength + " characters.");
      case PASSWORD_TOO_LONG -> notAcceptable("The password is too long.");
      case PASSWORD_CHARACTER -> notAcceptable("The password has a character that is not allowed.");
      case PASSWORD_COMMON ->
          notAcceptable("Attackers try this password first. Choose another one.");
      case PASSWORD_NAME -> notAcceptable("The password must not be the username.");
      case WRONG_ANSWER -> notAcceptable("The answer is wrong.");
    };
  }

  private static IqReply notAcceptable(String text) {
    return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, text);
  }

  private boolean isForHost(Iq iq) {
    return iq.to() == null || host.equals(iq.to());
  }
}
