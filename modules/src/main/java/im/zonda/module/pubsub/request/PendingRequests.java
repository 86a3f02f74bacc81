package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The ad-hoc command by which owners get the subscription requests that are pending (XEP-0060,
/// section 8.7). It has one form, so no state is kept between its steps.
public final class PendingRequests {
  /// The namespace of commands (XEP-0050).
  public static final String COMMANDS = "http://jabber.org/protocol/commands";

  /// The element of a command.
  public static final QName COMMAND = new QName(COMMANDS, "command");

  /// The name of this command.
  public static final String NODE = PubSubXml.NAMESPACE + "#get-pending";

  private static final String FIELD = "pubsub#node";
  private static final int MAX_SESSION = 100;

  /// Affiliations that are looked at for nodes that the sender owns.
  private static final int LISTED = 1_000;

  private final NodeOwner owner;
  private final Jid from;
  private final String session;

  /// @param command the request
  public PendingRequests(NodeOwner owner, Jid from, Element command) {
    this.owner = owner;
    this.from = from;
    String given = command.attribute("sessionid");
    this.session = given == null || given.length() > MAX_SESSION ? owner.newId() : given;
  }

  /// The name of the publish-subscribe node that the submitted form of the command names; null if
  /// there is none, or it is another command.
  public static @Nullable String nodeOf(Element command) {
    DataForm form = DataForm.of(command.child(DataForm.X));
    DataForm.Field field = form == null ? null : form.field(FIELD);
    String action = command.attribute("action");
    return NODE.equals(command.attribute("node"))
            && form != null
            && form.type().equals("submit")
            && !"cancel".equals(action)
            && field != null
        ? field.value()
        : null;
  }

  /// The first step: the nodes that the sender owns.
  public IqReply nodes(Element command) {
    if (!NODE.equals(command.attribute("node"))) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if ("cancel".equals(command.attribute("action"))) {
      return reply("canceled", null);
    }
    Map<String, String> owned = new LinkedHashMap<>();
    for (AffiliatedNode each : owner.affiliations(from.bare(), null, LISTED)) {
      if (each.affiliation().equals(Affiliation.OWNER.word())) {
        owned.put(each.node(), each.node());
      }
    }
    if (owned.isEmpty()) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    return reply(
        "executing",
        DataForm.builder("form", NodeForms.AUTHORIZATION)
            .listSingle(FIELD, "Node ID", null, owned)
            .build()
            .toElement());
  }

  /// The second step: sends the sender a request to approve for each subscription that is pending.
  public IqReply send(String name) {
    Node node = owner.find(name);
    if (node == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (!node.isOwner(from) && !owner.ownsAll(from)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    for (Subscription each : node.subscriptions().values()) {
      if (each.state() == Subscription.State.PENDING) {
        owner.send(from, Message.Type.NORMAL, List.of(NodeForms.authorization(node, each)));
      }
    }
    return reply("completed", null);
  }

  private IqReply reply(String status, @Nullable Element form) {
    Element.Builder command =
        Element.builder(COMMAND)
            .attribute("sessionid", session)
            .attribute("node", NODE)
            .attribute("status", status);
    if (form != null) {
      command.child(form);
    }
    return IqReply.result(command.build());
  }
}
