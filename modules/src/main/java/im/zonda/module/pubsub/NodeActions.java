package im.zonda.module.pubsub;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.NodeOperations.Setting;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.requests.HostRequests;
import im.zonda.module.requests.HostRequests.Answer;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows nodes as the store has them, and has their homes change them.
final class NodeActions {
  private final PubSubStore store;
  private final HostRequests requests;

  NodeActions(ModuleContext context) {
    this.store = context.port(PubSubStore.class);
    this.requests = new HostRequests(context);
  }

  /// What is offered.
  List<Offer<?, ?>> offers() {
    return List.of(
        NodeOperations.LIST.by((_, wanted) -> list(wanted)),
        NodeOperations.SHOW.by((_, chosen) -> show(chosen)),
        NodeOperations.ITEMS.by((_, portion) -> items(portion)),
        NodeOperations.SUBSCRIPTIONS.by((_, portion) -> subscriptions(portion)),
        NodeOperations.AFFILIATIONS.by((_, portion) -> affiliations(portion)),
        NodeOperations.AFFILIATE.by(this::affiliate),
        NodeOperations.PURGE.by((_, chosen) -> change(chosen, "purge")),
        NodeOperations.DELETE.by((_, chosen) -> change(chosen, "delete")));
  }

  private PubSubStore.@Nullable Stored find(Jid owner, String node) {
    return owner.isBare() ? store.find(owner, node) : null;
  }

  private static <R extends Record> Outcome<R> unknown(Jid owner, String node) {
    return Outcome.notFound("There is no node " + node + " of " + owner + ".");
  }

  private static Node read(PubSubStore.Stored stored) {
    NodePlace place = stored.node().owner().local() == null ? NodePlace.SERVICE : NodePlace.ACCOUNT;
    return NodeRows.read(stored, place.defaults());
  }

  // ---- reading

  private Outcome<NodeOperations.Names> list(NodeOperations.Wanted wanted) {
    List<String> names =
        wanted.owner().isBare()
            ? store.list(wanted.owner(), wanted.after(), wanted.limit())
            : List.of();
    return Outcome.done(
        new NodeOperations.Names(names, names.size() < wanted.limit() ? null : names.getLast()));
  }

  private Outcome<NodeOperations.Shown> show(NodeOperations.Chosen chosen) {
    PubSubStore.Stored stored = find(chosen.owner(), chosen.node());
    if (stored == null) {
      return unknown(chosen.owner(), chosen.node());
    }
    Node node = read(stored);
    List<Setting> settings = new ArrayList<>();
    for (NodeOption each : NodeOption.values()) {
      List<String> values = node.config().all(each);
      if (!values.isEmpty()) {
        settings.add(new Setting(each.field().substring("pubsub#".length()), values));
      }
    }
    return Outcome.done(
        new NodeOperations.Shown(
            chosen.owner(),
            chosen.node(),
            node.creator(),
            node.created(),
            stored.items(),
            stored.bytes(),
            node.subscriptions().size(),
            node.affiliations().size(),
            settings));
  }

  private Outcome<NodeOperations.Items> items(NodeOperations.Portion portion) {
    PubSubStore.ItemHeads page =
        portion.owner().isBare()
            ? store.heads(portion.owner(), portion.node(), portion.after(), portion.limit())
            : null;
    if (page == null) {
      return Outcome.notFound(
          "There is no node "
              + portion.node()
              + " of "
              + portion.owner()
              + (portion.after() == null ? "." : " with an item " + portion.after() + "."));
    }
    List<NodeOperations.Item> items =
        page.items().stream()
            .map(each ->
                new NodeOperations.Item(each.id(), each.publisher(), each.published(), each.size()))
            .toList();
    return Outcome.done(
        new NodeOperations.Items(items, page.count(), page.more() ? items.getLast().id() : null));
  }

  private Outcome<NodeOperations.Subscriptions> subscriptions(NodeOperations.Portion portion) {
    List<PubSubStore.Subscription> page =
        portion.owner().isBare()
            ? store.subscriptions(portion.owner(), portion.node(), portion.after(), portion.limit())
            : null;
    if (page == null) {
      return unknown(portion.owner(), portion.node());
    }
    List<NodeOperations.Subscription> subscriptions = new ArrayList<>();
    for (PubSubStore.Subscription each : page) {
      Subscription.State state = Subscription.State.of(each.state());
      if (state != null) {
        subscriptions.add(new NodeOperations.Subscription(each.id(), each.subscriber(), state));
      }
    }
    String next = page.size() < portion.limit() ? null : page.getLast().id();
    return Outcome.done(new NodeOperations.Subscriptions(subscriptions, next));
  }

  private Outcome<NodeOperations.Affiliations> affiliations(NodeOperations.Portion portion) {
    List<PubSubStore.Affiliation> page =
        portion.owner().isBare()
            ? store.affiliations(portion.owner(), portion.node(), portion.after(), portion.limit())
            : null;
    if (page == null) {
      return unknown(portion.owner(), portion.node());
    }
    List<NodeOperations.Affiliated> affiliations = new ArrayList<>();
    for (PubSubStore.Affiliation each : page) {
      Affiliation affiliation = Affiliation.of(each.affiliation());
      if (affiliation != null) {
        affiliations.add(new NodeOperations.Affiliated(each.user(), affiliation));
      }
    }
    String next = page.size() < portion.limit() ? null : page.getLast().user().toString();
    return Outcome.done(new NodeOperations.Affiliations(affiliations, next));
  }

  // ---- changing

  private Outcome<Nothing> change(NodeOperations.Chosen chosen, String what)
      throws InterruptedException {
    return find(chosen.owner(), chosen.node()) == null
        ? unknown(chosen.owner(), chosen.node())
        : ask(
            chosen.owner(),
            chosen.node(),
            PubSubXml.named(PubSubXml.OWNER, what, chosen.node()).build());
  }

  /// Asks as an owner of the node asks (XEP-0060, section 8), which the host is of all.
  private Outcome<Nothing> ask(Jid owner, String node, Element request)
      throws InterruptedException {
    return switch (requests.set(owner, PubSubXml.owner(request))) {
      case Answer.Refusal refusal -> refusal.outcome("node " + node + " of " + owner);
      case Answer.Result _ -> Nothing.done();
    };
  }

  private Outcome<Nothing> affiliate(Call call, NodeOperations.Given given)
      throws InterruptedException {
    PubSubStore.Stored before = find(given.owner(), given.node());
    if (before == null) {
      return unknown(given.owner(), given.node());
    }
    Jid user = given.user().bare();
    Element change =
        Element.builder(PubSubXml.OWNER, "affiliation")
            .attribute("jid", user.toString())
            .attribute("affiliation", given.affiliation().word())
            .build();
    Outcome<Nothing> outcome =
        ask(
            given.owner(),
            given.node(),
            PubSubXml.named(PubSubXml.OWNER, "affiliations", given.node()).child(change).build());
    if (outcome instanceof Outcome.Done<Nothing>) {
      Affiliation was = read(before).affiliations().getOrDefault(user, Affiliation.NONE);
      call.changed("affiliation of " + user, was.word(), given.affiliation().word());
    }
    return outcome;
  }
}
