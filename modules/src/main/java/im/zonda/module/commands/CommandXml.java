package im.zonda.module.commands;

import im.zonda.module.IqReply;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// The elements and errors of commands (XEP-0050, section 4).
public final class CommandXml {
  /// The namespace, which is also the node that lists the commands.
  public static final String NAMESPACE = "http://jabber.org/protocol/commands";

  /// A request and an answer.
  public static final QName COMMAND = new QName(NAMESPACE, "command");

  private CommandXml() {}

  /// The actions that are allowed next, the last one being the default.
  static Element actions(List<CommandAction> allowed) {
    Element.Builder actions =
        Element.builder(NAMESPACE, "actions").attribute("execute", allowed.getLast().word());
    allowed.forEach(action -> actions.child(Element.of(NAMESPACE, action.word())));
    return actions.build();
  }

  /// A note for people.
  ///
  /// @param type `info`, `warn` or `error`
  static Element note(String type, String text) {
    return Element.builder(NAMESPACE, "note").attribute("type", type).text(text).build();
  }

  /// The error for an action that does not exist.
  static IqReply malformedAction() {
    return badRequest(
        "malformed-action", "Unknown action; use execute, next, prev, complete or cancel.");
  }

  /// The error for an action that is not allowed at this stage.
  static IqReply badAction() {
    return badRequest("bad-action", "This action is not allowed at this stage of the command.");
  }

  /// The error for a session that is not one of the requester's.
  static IqReply badSession() {
    return badRequest("bad-sessionid", "There is no such session; run the command again.");
  }

  /// The error for a form that is not filled in correctly.
  static IqReply badPayload(String text) {
    return badRequest("bad-payload", text);
  }

  /// The error for a session that has ended.
  static IqReply sessionExpired() {
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.NOT_ALLOWED)
            .withText("The session has ended; run the command again.")
            .withDetail(Element.of(NAMESPACE, "session-expired")));
  }

  private static IqReply badRequest(String detail, String text) {
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.BAD_REQUEST)
            .withText(text)
            .withDetail(Element.of(NAMESPACE, detail)));
  }
}
