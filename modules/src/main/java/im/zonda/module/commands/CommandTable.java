package im.zonda.module.commands;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.commands.CommandStage.Outcome;
import im.zonda.module.forms.DataForm;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commands of an address: lists them, and runs them in sessions. Filled before it is used; any
/// thread may use it then.
public final class CommandTable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandTable.class);
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  /// The most characters in the values of a submitted form.
  static final int MOST_CHARS = 65_536;

  private final ModuleContext context;
  private final CommandSessions sessions;
  private final Map<String, Command> commands = new LinkedHashMap<>();
  private Supplier<List<Command>> more = List::of;

  /// @param context sends answers that are given later
  public CommandTable(ModuleContext context, CommandSessions sessions) {
    this.context = context;
    this.sessions = sessions;
  }

  /// Adds a command.
  ///
  /// @throws IllegalStateException if there is one with the same node
  public void add(Command command) {
    if (commands.putIfAbsent(command.node(), command) != null) {
      throw new IllegalStateException("two commands with the node " + command.node());
    }
  }

  /// Adds commands that may change: they are asked for at each request. They come after the others,
  /// and have other nodes.
  public void addAll(Supplier<List<Command>> source) {
    more = source;
  }

  private List<Command> all() {
    List<Command> all = new ArrayList<>(commands.values());
    all.addAll(more.get());
    return all;
  }

  private @Nullable Command find(String node) {
    Command command = commands.get(node);
    if (command != null) {
      return command;
    }
    return more.get().stream().filter(each -> each.node().equals(node)).findFirst().orElse(null);
  }

  // ---- service discovery (section 2)

  /// The items of a node for a requester: the commands that it may run. Null if the node is not
  /// [CommandXml#NAMESPACE] or that of a command, which has no items.
  public @Nullable IqReply items(Jid address, Jid from, String node) {
    Element.Builder query = Element.builder(ITEMS, "query").attribute("node", node);
    if (node.equals(CommandXml.NAMESPACE)) {
      for (Command command : all()) {
        if (command.allowed().test(from)) {
          query.child(
              Element.builder(ITEMS, "item")
                  .attribute("jid", address.toString())
                  .attribute("node", command.node())
                  .attribute("name", command.name())
                  .build());
        }
      }
      return IqReply.result(query.build());
    }
    Command command = find(node);
    if (command == null) {
      return null;
    }
    return command.allowed().test(from)
        ? IqReply.result(query.build())
        : IqReply.refuse(ErrorCondition.FORBIDDEN);
  }

  /// The items of [CommandXml#NAMESPACE] for a requester who may run no command.
  public static IqReply noItems() {
    return IqReply.result(
        Element.builder(ITEMS, "query").attribute("node", CommandXml.NAMESPACE).build());
  }

  /// The information about a node for a requester. Null if the node is not [CommandXml#NAMESPACE]
  /// or that of a command.
  public @Nullable IqReply info(Jid from, String node) {
    if (node.equals(CommandXml.NAMESPACE)) {
      return info(node, "command-list", "Ad-Hoc Commands");
    }
    Command command = find(node);
    if (command == null) {
      return null;
    }
    return command.allowed().test(from)
        ? info(node, "command-node", command.name())
        : IqReply.refuse(ErrorCondition.FORBIDDEN);
  }

  private static IqReply info(String node, String type, String name) {
    Element.Builder query = Element.builder(INFO, "query").attribute("node", node);
    query.child(
        Element.builder(INFO, "identity")
            .attribute("category", "automation")
            .attribute("type", type)
            .attribute("name", name)
            .build());
    for (String feature : List.of(CommandXml.NAMESPACE, DataForm.NAMESPACE)) {
      query.child(Element.builder(INFO, "feature").attribute("var", feature).build());
    }
    return IqReply.result(query.build());
  }

  // ---- execution (section 3)

  /// Answers a request to run a command or to go on with it. May block.
  ///
  /// @param address where the command was requested
  public IqReply run(Iq iq, Element request, Jid address) {
    Jid from = Objects.requireNonNull(iq.from());
    String node = request.attribute("node");
    Command command = node == null ? null : find(node);
    if (command == null) {
      return IqReply.refuse(
          node == null ? ErrorCondition.BAD_REQUEST : ErrorCondition.ITEM_NOT_FOUND);
    }
    if (!command.allowed().test(from)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    CommandAction action = CommandAction.of(request.attribute("action"));
    if (action == null) {
      return CommandXml.malformedAction();
    }
    Instant now = context.clock().instant();
    String id = request.attribute("sessionid");
    if (id == null) {
      if (action == CommandAction.PREV || action == CommandAction.CANCEL) {
        return CommandXml.badAction();
      }
      CommandSession started =
          sessions.start(context.ids().next(), from, address, command.node(), now);
      return run(command, started, List.of(), iq, address);
    }
    CommandSession session = sessions.find(id, now);
    if (session == null || !session.belongsTo(from, address, command.node())) {
      return session == null && sessions.hasEnded(id)
          ? CommandXml.sessionExpired()
          : CommandXml.badSession();
    }
    return continueSession(command, session, action, iq, request, address);
  }

  private IqReply continueSession(
      Command command,
      CommandSession session,
      CommandAction action,
      Iq iq,
      Element request,
      Jid address) {
    if (action == CommandAction.CANCEL) {
      sessions.end(session);
      return IqReply.result(answer(session, "canceled", List.of()));
    }
    if (!sessions.begin(session)) {
      return IqReply.refuse(
          ErrorCondition.UNEXPECTED_REQUEST, "The last stage has not been answered yet.");
    }
    CommandAction wanted = action == CommandAction.EXECUTE ? session.allowed.getLast() : action;
    if (!session.allowed.contains(wanted)) {
      sessions.await(session, context.clock().instant());
      return CommandXml.badAction();
    }
    if (wanted == CommandAction.PREV) {
      List<DataForm> fewer = session.forms.subList(0, session.forms.size() - 1);
      return run(command, session, List.copyOf(fewer), iq, address);
    }
    DataForm form = submitted(request);
    if (form == null) {
      sessions.await(session, context.clock().instant());
      return CommandXml.badPayload("Fill in the form and submit it.");
    }
    List<DataForm> forms = new ArrayList<>(session.forms);
    forms.add(form);
    return run(command, session, forms, iq, address);
  }

  /// The form that was submitted; null if there is none, or it is too long. A cancelled form counts
  /// as submitted (section 3.5.1).
  private static @Nullable DataForm submitted(Element request) {
    DataForm form = DataForm.of(request.child(DataForm.X));
    if (form == null || !(form.type().equals("submit") || form.type().equals("cancel"))) {
      return null;
    }
    long chars =
        form.fields().values().stream()
            .flatMap(field -> field.values().stream())
            .mapToLong(String::length)
            .sum();
    return chars > MOST_CHARS ? null : form;
  }

  private IqReply run(
      Command command, CommandSession session, List<DataForm> forms, Iq iq, Jid address) {
    LateReply reply = new LateReply(context, iq, address);
    BiConsumer<CommandSession, Outcome> answer =
        (of, outcome) -> reply.give(() -> conclude(of, forms, outcome));
    try {
      command.action().accept(new CommandStage(session, forms, answer));
    } catch (RuntimeException e) {
      boolean store = e instanceof StoreException;
      LOG.atError().addKeyValue("node", command.node()).setCause(e).log("command_failed");
      answer.accept(
          session,
          new Outcome.Failed(
              IqReply.refuse(
                  store
                      ? ErrorCondition.RESOURCE_CONSTRAINT
                      : ErrorCondition.INTERNAL_SERVER_ERROR),
              store));
    }
    return reply.nowOrLater();
  }

  private IqReply conclude(CommandSession session, List<DataForm> forms, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Ask(List<CommandAction> allowed, Element form) -> {
        session.forms.clear();
        session.forms.addAll(forms);
        session.allowed = allowed;
        sessions.await(session, context.clock().instant());
        yield IqReply.result(
            answer(session, "executing", List.of(CommandXml.actions(allowed), form)));
      }
      case Outcome.Completed(List<Element> payload) -> {
        sessions.end(session);
        yield IqReply.result(answer(session, "completed", payload));
      }
      case Outcome.Failed(IqReply error, boolean mayRetry) -> {
        if (mayRetry && !session.allowed.isEmpty()) {
          sessions.await(session, context.clock().instant());
        } else {
          sessions.end(session);
        }
        yield error;
      }
    };
  }

  private static Element answer(CommandSession session, String status, List<Element> payload) {
    return Element.builder(CommandXml.COMMAND)
        .attribute("node", session.node())
        .attribute("sessionid", session.id())
        .attribute("status", status)
        .children(payload)
        .build();
  }
}
