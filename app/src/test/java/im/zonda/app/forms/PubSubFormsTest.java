package im.zonda.app.forms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The forms of publish-subscribe have the fields and types of their registries, and the server
/// accepts each back as it is.
class PubSubFormsTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String SERVICE = "pubsub.example.org";

  private FormRules rules;
  private TestServer server;
  private ScriptedClient hamlet;
  private ScriptedClient francisco;
  private int ids;

  @BeforeEach
  void start() throws IOException {
    rules = new FormRules("pubsub-fields.txt");
    server = ServerPlan.of(StandardModules::create).startInMemory();
    hamlet = server.connect("hamlet@example.org/elsinore");
    francisco = server.connect("francisco@example.org/barracks");
    hamlet.send("<presence/>");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private XmlElement ask(ScriptedClient client, String type, String to, String payload) {
    String id = "i" + ids++;
    client.send("<iq type='" + type + "' id='" + id + "' to='" + to + "'>" + payload + "</iq>");
    XmlElement answer = client.receiveFirst(stanza -> id.equals(stanza.attribute("id")));
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("result");
    return answer;
  }

  private static String pubsub(String namespace, String request) {
    return "<pubsub xmlns='" + PUBSUB + namespace + "'>" + request + "</pubsub>";
  }

  /// The form in the first child of the payload, checked.
  private XmlElement form(XmlElement answer) {
    XmlElement request = answer.children().getFirst().children().getFirst();
    XmlElement form = Objects.requireNonNull(request.child("jabber:x:data", "x"), answer::toString);
    rules.check(form);
    return form;
  }

  private static String field(String name, String value) {
    return "<field var='pubsub#" + name + "'><value>" + value + "</value></field>";
  }

  private static String config(String fields) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
        + PUBSUB
        + "#node_config</value></field>"
        + fields
        + "</x>";
  }

  private void create(String to, String node, String fields) {
    String request = "<create node='" + node + "'/><configure>" + config(fields) + "</configure>";
    ask(hamlet, "set", to, pubsub("", request));
  }

  /// The configuration of a node is what a strict client accepts, and is accepted unchanged.
  private void configuration(String to, String node) {
    String request = "<configure node='" + node + "'/>";
    XmlElement form = form(ask(hamlet, "get", to, pubsub("#owner", request)));
    String submitted = "<configure node='" + node + "'>" + FormRules.submit(form) + "</configure>";
    ask(hamlet, "set", to, pubsub("#owner", submitted));
    assertThat(form(ask(hamlet, "get", to, pubsub("#owner", request))).toString())
        .isEqualTo(form.toString());
  }

  @Test
  void everyFieldIsThatOfARegistry() {
    create(SERVICE, "blogs", field("node_type", "collection"));
    String about =
        field("collection", "blogs")
            + field("title", "Musings")
            + field("description", "Of a prince")
            + field("type", "http://www.w3.org/2005/Atom")
            + field("language", "en")
            + field("contact", "bard@example.org")
            + field("roster_groups_allowed", "Friends");
    create(SERVICE, "musings", about);
    create("hamlet@example.org", "urn:x", field("access_model", "open"));
    for (String node : List.of("blogs", "musings")) {
      configuration(SERVICE, node);
      options(node);
    }
    configuration("hamlet@example.org", "urn:x");
    for (String request : List.of("<default/>", "<default type='collection'/>")) {
      form(ask(hamlet, "get", SERVICE, pubsub("#owner", request)));
    }
    String publisher =
        "<affiliations node='musings'><affiliation jid='x@example.org' affiliation='publisher'/>"
            + "</affiliations>";
    ask(hamlet, "set", SERVICE, pubsub("#owner", publisher));
    metadata("musings");
    metadata("blogs");
    authorization();
    assertThat(rules.unseen()).as("fields that the server has never sent").isEmpty();
  }

  private void options(String node) {
    String who = "node='" + node + "' jid='francisco@example.org'";
    ask(francisco, "set", SERVICE, pubsub("", "<subscribe " + who + "/>"));
    String request = "<options " + who + "/>";
    XmlElement form = form(ask(francisco, "get", SERVICE, pubsub("", request)));
    for (String depth : node.equals("blogs") ? List.of("1", "5", "all") : List.of("")) {
      String submitted =
          FormRules.submit(form)
              .replaceFirst("(depth'><value>)[^<]*", depth.isEmpty() ? "$0" : "$1" + depth);
      ask(
          francisco,
          "set",
          SERVICE,
          pubsub("", "<options " + who + ">" + submitted + "</options>"));
      form(ask(francisco, "get", SERVICE, pubsub("", request)));
    }
  }

  private void metadata(String node) {
    XmlElement answer =
        ask(
            francisco,
            "get",
            SERVICE,
            "<query xmlns='http://jabber.org/protocol/disco#info' node='" + node + "'/>");
    rules.check(Objects.requireNonNull(answer.children().getFirst().child("jabber:x:data", "x")));
  }

  private void authorization() {
    create(SERVICE, "advice", field("access_model", "authorize"));
    String subscribe = "<subscribe node='advice' jid='francisco@example.org'/>";
    ask(francisco, "set", SERVICE, pubsub("", subscribe));
    XmlElement message = hamlet.receiveFirst(stanza -> stanza.child("jabber:x:data", "x") != null);
    rules.check(Objects.requireNonNull(message.child("jabber:x:data", "x")));
  }
}
