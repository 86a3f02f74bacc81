package im.zonda.module.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.pubsub.NodeOperations.Chosen;
import im.zonda.module.pubsub.NodeOperations.Portion;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.service.PubSubServiceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome.Reason;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeOperationsTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final Jid SERVICE = Jid.of("pubsub.example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String NODE = "urn:x:news";

  private final RosterModule roster = new RosterModule();
  private final TestContext context =
      new TestContext()
          .install(
              roster,
              new PubSubModule(roster, new DiscoModule(), new MamModule(roster)),
              new PubSubServiceModule());
  private final TestSession juliet = context.bind("juliet@example.org/balcony");
  private final TestOperations operations = context.operations();

  NodeOperationsTest() {
    ((TestComponents) context.port(ExternalComponents.class)).answerBy(this::answer);
    context.account(ROMEO.toString());
  }

  private Iq answer(Iq request) {
    Jid to = Objects.requireNonNull(request.to());
    if (to.local() == null) {
      context.host().toService(request);
      return (Iq)
          context.takeSent().stream()
              .filter(each -> each instanceof Iq && Objects.equals(each.id(), request.id()))
              .findFirst()
              .orElseThrow();
    }
    return switch (context
        .host()
        .answer(request, Addressee.OTHER_ACCOUNT, context.home(to), null)) {
      case IqReply.Result(Element result) -> Iq.result(request, result);
      case IqReply.Refuse(StanzaError error) -> Iq.error(request, error);
      case IqReply.Later _ -> throw new AssertionError("not at once");
    };
  }

  private void ask(Jid owner, String request) {
    Iq iq =
        TestXml.iq(
            "<iq type='set' id='p' from='%s' to='%s'><pubsub xmlns='%s'>%s</pubsub></iq>"
                .formatted(juliet.jid(), owner, PUBSUB, request));
    if (owner.local() == null) {
      assertThat(answer(iq).isError()).isFalse();
    } else {
      context.ask(juliet, iq);
    }
  }

  private Jid prepared(String address) {
    Jid owner = Jid.of(address);
    ask(owner, "<create node='" + NODE + "'/>");
    for (String id : List.of("one", "two", "three")) {
      ask(
          owner,
          "<publish node='%s'><item id='%s'><x xmlns='urn:x'>secret</x></item></publish>"
              .formatted(NODE, id));
    }
    return owner;
  }

  private <I extends Record> void change(Operation<I, Nothing> operation, I input) {
    assertThat(operations.done(operation, input)).isEqualTo(Nothing.NOTHING);
  }

  private List<String> names(Jid owner) {
    return operations.done(NodeOperations.LIST, new NodeOperations.Wanted(owner, null, 50)).nodes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org", "pubsub.example.org"})
  void whatIsThereIsShownWithoutContents(String address) {
    Jid owner = prepared(address);
    ask(owner, "<create node='another'/>");
    NodeOperations.Names first =
        operations.done(NodeOperations.LIST, new NodeOperations.Wanted(owner, null, 1));
    assertThat(first.nodes()).containsExactly("another");
    assertThat(
            operations
                .done(NodeOperations.LIST, new NodeOperations.Wanted(owner, first.next(), 2))
                .nodes())
        .containsExactly(NODE);
    NodeOperations.Shown node = operations.done(NodeOperations.SHOW, new Chosen(owner, NODE));
    assertThat(node.creator()).isEqualTo(Jid.of("juliet@example.org"));
    assertThat(node.items()).isPositive();
    assertThat(node.affiliations()).isEqualTo(1);
    assertThat(node.settings())
        .anySatisfy(each -> {
          assertThat(each.name()).isEqualTo("access_model");
          assertThat(each.values()).hasSize(1);
        });
    NodeOperations.Items items =
        operations.done(NodeOperations.ITEMS, new Portion(owner, NODE, null, 50));
    assertThat(items.items()).hasSize(node.items()).allMatch(each -> each.size() > 20);
    assertThat(items.toString()).contains("three").doesNotContain("secret");
    assertThat(items.next()).isNull();
  }

  @Test
  void itemsComeInPages() {
    Jid owner = prepared("pubsub.example.org");
    NodeOperations.Items first =
        operations.done(NodeOperations.ITEMS, new Portion(owner, NODE, null, 2));
    assertThat(first.items()).extracting("id").containsExactly("one", "two");
    assertThat(first.count()).isEqualTo(3);
    NodeOperations.Items second =
        operations.done(NodeOperations.ITEMS, new Portion(owner, NODE, first.next(), 2));
    assertThat(second.items()).extracting("id").containsExactly("three");
    assertThat(second.next()).isNull();
    assertThat(operations.refused(NodeOperations.ITEMS, new Portion(owner, NODE, "four", 2)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org", "pubsub.example.org"})
  void affiliationsAreGivenAndTaken(String address) {
    Jid owner = prepared(address);
    change(
        NodeOperations.AFFILIATE,
        new NodeOperations.Given(owner, NODE, ROMEO, Affiliation.PUBLISHER));
    assertThat(
            operations
                .done(NodeOperations.AFFILIATIONS, new Portion(owner, NODE, null, 50))
                .affiliations())
        .extracting(each -> each.user() + " " + each.affiliation())
        .containsExactly("juliet@example.org OWNER", "romeo@example.org PUBLISHER");
    assertThat(operations.changes())
        .containsExactly("affiliation of romeo@example.org: none -> publisher");
    change(
        NodeOperations.AFFILIATE, new NodeOperations.Given(owner, NODE, ROMEO, Affiliation.NONE));
    assertThat(
            operations
                .done(NodeOperations.AFFILIATIONS, new Portion(owner, NODE, null, 50))
                .affiliations())
        .hasSize(1);
  }

  @Test
  void subscriptionsAreListed() {
    Jid owner = prepared("pubsub.example.org");
    ask(owner, "<subscribe node='%s' jid='juliet@example.org'/>".formatted(NODE));
    assertThat(
            operations
                .done(NodeOperations.SUBSCRIPTIONS, new Portion(owner, NODE, null, 50))
                .subscriptions())
        .extracting("subscriber")
        .containsExactly(Jid.of("juliet@example.org"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org", "pubsub.example.org"})
  void nodesArePurgedAndDeleted(String address) {
    Jid owner = prepared(address);
    change(NodeOperations.PURGE, new Chosen(owner, NODE));
    assertThat(operations.done(NodeOperations.SHOW, new Chosen(owner, NODE)).items()).isZero();
    change(NodeOperations.DELETE, new Chosen(owner, NODE));
    assertThat(names(owner)).isEmpty();
    for (Operation<Chosen, ?> each :
        List.<Operation<Chosen, ?>>of(
            NodeOperations.SHOW, NodeOperations.PURGE, NodeOperations.DELETE)) {
      assertThat(operations.refused(each, new Chosen(owner, NODE))).isEqualTo(Reason.NOT_FOUND);
    }
  }

  /// The host owns all nodes, but the account keeps what is its own.
  @Test
  void anAccountStaysTheOwnerOfItsNodes() {
    Jid owner = prepared("juliet@example.org");
    assertThat(
            operations.refused(
                NodeOperations.AFFILIATE,
                new NodeOperations.Given(owner, NODE, owner, Affiliation.NONE)))
        .isEqualTo(Reason.INVALID);
    assertThat(names(SERVICE)).isEmpty();
  }
}
