package im.zonda.module.muc.discovery;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.RoomVisibility;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Ad-hoc commands of rooms (XEP-0050). A command has at most one form, so no state is kept between
/// its steps.
@Xep(
    number = 50,
    version = "1.3.0",
    title = "Ad-Hoc Commands",
    note = "Those of rooms and of the publish-subscribe service have one form each")
public final class RoomCommands {
  static final String NAMESPACE = "http://jabber.org/protocol/commands";
  private static final QName COMMAND = new QName(NAMESPACE, "command");
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  private final Map<String, Command> commands = new LinkedHashMap<>();
  private final IdSource ids;

  private record Command(
      String node, String title, Predicate<Run> allowed, Function<Run, IqReply> action) {}

  public RoomCommands(IdSource ids) {
    this.ids = ids;
  }

  /// One step of a command.
  ///
  /// @param session the session id, from the requester or new
  /// @param form the submitted form, or null
  record Run(LiveRoom live, Jid from, String node, String session, @Nullable DataForm form) {
    Affiliation affiliation() {
      return live.room().affiliationOf(from.bare());
    }

    boolean knowsRoom() {
      return RoomVisibility.isVisibleTo(live.room(), from);
    }

    /// Replies with a form to fill in.
    IqReply ask(DataForm.Builder asked) {
      Element actions =
          Element.builder(NAMESPACE, "actions")
              .attribute("execute", "complete")
              .child(Element.of(NAMESPACE, "complete"))
              .build();
      return reply("executing", List.of(actions, asked.build().toElement()));
    }

    /// Completes the command.
    ///
    /// @param result the result to show, or null
    IqReply done(@Nullable Element result) {
      return reply("completed", result == null ? List.of() : List.of(result));
    }

    /// Completes the command with a note that says why nothing has been done for what was entered.
    IqReply failed(String text) {
      Element note =
          Element.builder(NAMESPACE, "note").attribute("type", "error").text(text).build();
      return reply("completed", List.of(note));
    }

    private IqReply reply(String status, List<Element> children) {
      Element.Builder command =
          Element.builder(COMMAND)
              .attribute("node", node)
              .attribute("sessionid", session)
              .attribute("status", status);
      children.forEach(command::child);
      return IqReply.result(command.build());
    }
  }

  RoomCommands add(
      String node, String title, Predicate<Run> allowed, Function<Run, IqReply> action) {
    commands.put(node, new Command(node, title, allowed, action));
    return this;
  }

  public void install(RequestTable table) {
    table
        .onRoomIq(Iq.Type.SET, COMMAND, (home, live, iq, command) -> run(live, iq, command))
        .roomFeature(NAMESPACE);
  }

  /// Lists the commands that the requester may use (section 2.2).
  Iterable<Element> items(LiveRoom live, Jid from) {
    return commands.values().stream()
        .filter(command -> command.allowed().test(new Run(live, from, command.node(), "", null)))
        .map(command ->
            Element.builder(ITEMS, "item")
                .attribute("jid", live.room().jid().toString())
                .attribute("node", command.node())
                .attribute("name", command.title())
                .build())
        .toList();
  }

  private IqReply run(LiveRoom live, Iq iq, Element asked) {
    String node = asked.attribute("node");
    Command command = node == null ? null : commands.get(node);
    Jid from = iq.from();
    if (command == null || from == null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    String given = asked.attribute("sessionid");
    String session = given == null || given.length() > 100 ? ids.next() : given;
    Element x = asked.child(DataForm.X);
    DataForm form = DataForm.of(x);
    boolean submitted = form != null && form.type().equals("submit");
    Run run = new Run(live, from, command.node(), session, submitted ? form : null);
    if (!command.allowed().test(run)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    if (x != null && !submitted) {
      return bad("bad-payload", "the form is not of type submit");
    }
    return switch (asked.attribute("action")) {
      case "cancel" -> run.reply("canceled", List.of());
      case null -> command.action().apply(run);
      case "execute", "complete", "next" -> command.action().apply(run);
      default -> bad("bad-action", "unknown action; use execute, next, complete or cancel");
    };
  }

  private static IqReply bad(String detail, String text) {
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.BAD_REQUEST)
            .withText(text)
            .withDetail(Element.of(NAMESPACE, detail)));
  }

  /// Rejects a command that would exceed a limit.
  static IqReply tooMuch(String text) {
    return IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT, text);
  }

  /// Rejects a command for a room that is still locked.
  static IqReply notYet() {
    return IqReply.refuse(
        ErrorCondition.UNEXPECTED_REQUEST, "the room is locked; an owner must configure it first");
  }
}
