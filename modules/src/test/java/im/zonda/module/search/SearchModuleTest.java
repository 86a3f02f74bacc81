package im.zonda.module.search;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.config.Services.Search;
import im.zonda.config.Services.Search.Users;
import im.zonda.jid.Jid;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.module.vcard.VcardModule;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchModuleTest {
  private static final String PUBLIC = "<CLASS><PUBLIC/></CLASS>";

  private TestContext context = start(Users.OPTED_IN, List.of("first", "last", "nick"), 50);

  private static TestContext start(Users users, List<String> fields, int results) {
    TestContext context = new TestContext();
    VcardModule vcards = new VcardModule();
    return context
        .config(config(context.config(), users, fields, results))
        .install(new SearchModule(vcards), vcards);
  }

  private static ServerConfig config(
      ServerConfig all, Users users, List<String> fields, int results) {
    Search search = new Search(users, fields, "search", results);
    Services services = new Services(Services.Push.DEFAULTS, Map.of(), search);
    Host host = new Host(null, null, null, services, null, null, null, null);
    return all.withHosts(Map.of("example.org", host)).at("example.org");
  }

  private void vcard(String account, String content) {
    context.ask(
        context.bind(account + "@example.org/x"),
        TestXml.iq("<iq type='set' id='v'><vCard xmlns='vcard-temp'>" + content + "</vCard></iq>"));
  }

  private static String name(String first, String last) {
    return "<N><FAMILY>" + last + "</FAMILY><GIVEN>" + first + "</GIVEN></N>";
  }

  private Element answer(String from, String type, String payload) {
    context
        .host()
        .services()
        .getFirst()
        .acceptForDomain(
            TestXml.iq(
                "<iq type='%s' id='s' from='%s' to='search.example.org'>%s</iq>"
                    .formatted(type, from, payload)));
    List<Stanza> sent = context.takeSent();
    assertThat(sent).hasSize(1);
    return sent.getFirst().toElement();
  }

  private List<String> found(String query) {
    Element answer =
        answer(
            "romeo@example.org/orchard",
            "set",
            "<query xmlns='jabber:iq:search'>" + query + "</query>");
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("result");
    List<String> users = new ArrayList<>();
    for (Element child : answer.children().getFirst().children()) {
      if (child.is("jabber:iq:search", "item")) {
        users.add(String.valueOf(Jid.of(String.valueOf(child.attribute("jid"))).local()));
      }
    }
    return users;
  }

  private String refused(String from, String type, String payload) {
    Element answer = answer(from, type, payload);
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("error");
    Element error = Objects.requireNonNull(answer.child("error"));
    return error.children().getFirst().name().name();
  }

  @ParameterizedTest
  @CsvSource({
    "OPTED_IN,<CLASS><PUBLIC/></CLASS>,true",
    "OPTED_IN,<CLASS><PRIVATE/></CLASS>,false",
    "OPTED_IN,<CLASS/>,false",
    "OPTED_IN,'',false",
    "ALL,<CLASS><PUBLIC/></CLASS>,true",
    "ALL,'',true",
    "ALL,<CLASS><PRIVATE/></CLASS>,false",
    "ALL,<CLASS><CONFIDENTIAL/></CLASS>,false"
  })
  void theSettingAndTheClassSayWhoIsFound(Users users, String type, boolean found) {
    context = start(users, List.of("first"), 50);
    vcard("juliet", name("Juliet", "Capulet") + type);
    assertThat(found("<first>juliet</first>")).hasSize(found ? 1 : 0);
  }

  @Test
  void offIsOff() {
    context = start(Users.OFF, List.of("first"), 50);
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    assertThat(context.host().services()).isEmpty();
    assertThat(context.stores().keyValues("directory").all(Jid.of("juliet@example.org"))).isEmpty();
  }

  @Test
  void allFieldsMustContainTheTextWhateverItsCase() {
    vcard("juliet", name("Juliet", "Capulet") + "<NICKNAME>JuliC</NICKNAME>" + PUBLIC);
    vcard("tybalt", name("Tybalt", "Capulet") + PUBLIC);
    vcard("capulet", name("Lord", "Somebody") + PUBLIC);
    assertThat(found("<last>apul</last>")).containsExactly("juliet", "tybalt");
    assertThat(found("<last>CAPULET</last><first>tYb</first>")).containsExactly("tybalt");
    assertThat(found("<last>Capulet</last><nick>ty</nick>")).isEmpty();
    assertThat(found("<nick> julic </nick>")).containsExactly("juliet");
  }

  @Test
  void onlyTheFieldsOfTheSettingAreSearchedAndShown() {
    context = start(Users.ALL, List.of("nick"), 50);
    vcard(
        "juliet",
        name("Juliet", "Capulet")
            + "<NICKNAME>jule</NICKNAME><EMAIL><USERID>j@capulet.lit</USERID></EMAIL>");
    assertThat(found("<email>j@</email>")).isEmpty();
    Element answer = answer("romeo@example.org/o", "set", search("<nick>jule</nick>"));
    assertThat(answer.toString())
        .contains("jule")
        .doesNotContain("Capulet")
        .doesNotContain("j@capulet.lit");
    assertThat(answer("romeo@example.org/o", "get", search("")).toString()).doesNotContain("email");
  }

  private static String search(String content) {
    return "<query xmlns='jabber:iq:search'>" + content + "</query>";
  }

  @Test
  void theFullNameStandsInWhereThereAreNoParts() {
    vcard("nurse", "<FN>Angelica the Nurse</FN>" + PUBLIC);
    assertThat(found("<first>nurse</first>")).containsExactly("nurse");
  }

  @Test
  void aVcardThatIsRemovedIsNotFound() {
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    vcard("juliet", "");
    assertThat(found("<first>juliet</first>")).isEmpty();
  }

  @Test
  void whatWasChangedWhileTheSearchWasOffIsFoundLater() {
    VcardModule vcards = new VcardModule();
    context = new TestContext();
    context.install(vcards);
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    context
        .config(config(context.config(), Users.OPTED_IN, List.of("first"), 50))
        .install(new SearchModule(vcards));
    assertThat(found("<first>juliet</first>")).isEmpty();
    context.clock().advance(Duration.ofSeconds(10));
    context.runTasks();
    assertThat(found("<first>juliet</first>")).containsExactly("juliet");
  }

  @Test
  void resultsAreBoundedAndComeInPages() {
    context = start(Users.ALL, List.of("first"), 3);
    for (int i = 0; i < 250; i++) {
      vcard("user%03d".formatted(i), name(i % 2 == 0 ? "Even" : "Odd", "X"));
    }
    assertThat(found("<first>odd</first>")).containsExactly("user001", "user003", "user005");
    String page =
        "<first>odd</first><set xmlns='http://jabber.org/protocol/rsm'><max>%d</max>%s</set>";
    assertThat(found(page.formatted(1_000, ""))).hasSize(3);
    assertThat(found(page.formatted(2, "<after>user005@example.org</after>")))
        .containsExactly("user007", "user009");
    assertThat(found(page.formatted(2, "<after>user249@example.org</after>"))).isEmpty();
    Element answer = answer("romeo@example.org/o", "set", search(page.formatted(2, "")));
    Element set = answer.children().getFirst().children().getLast();
    assertThat(
            Expect.matches(
                TestXml.element(
                    "<set xmlns='http://jabber.org/protocol/rsm'><first>user001@example.org</first>"
                        + "<last>user003@example.org</last></set>"),
                set))
        .isTrue();
    for (String wrong : List.of("<before/>", "<index>1</index>")) {
      assertThat(refused("romeo@example.org/o", "set", search(page.formatted(2, wrong))))
          .isEqualTo("feature-not-implemented");
    }
    assertThat(refused("romeo@example.org/o", "set", search(page.formatted(2, "<after>@</after>"))))
        .isEqualTo("item-not-found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"romeo@elsewhere.example/o", "example.org", "elsewhere.example"})
  void othersMayNotSearch(String from) {
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    assertThat(refused(from, "set", search("<first>juliet</first>"))).isEqualTo("forbidden");
    assertThat(refused(from, "get", search(""))).isEqualTo("forbidden");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<first/>", "<first> </first>"})
  void nobodyIsFoundWithoutAText(String content) {
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    assertThat(answer("romeo@example.org/o", "set", search(content)).children())
        .containsExactly(TestXml.element("<query xmlns='jabber:iq:search'/>"));
  }

  @Test
  void anEmptyFormHasAnEmptyResult() {
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    String form =
        "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>jabber:iq:search"
            + "</value></field><field var='first'/></x>";
    Element answer = answer("romeo@example.org/o", "set", search(form));
    assertThat(answer.attribute("type")).isEqualTo("result");
    assertThat(answer.toString()).contains("<reported>").doesNotContain("<item>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<x xmlns='jabber:x:data' type='submit'/>",
        "<x xmlns='jabber:x:data' type='form'><field var='FORM_TYPE'><value>jabber:iq:search"
            + "</value></field><field var='first'><value>a</value></field></x>",
        "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>other"
            + "</value></field><field var='first'><value>a</value></field></x>"
      })
  void anotherFormIsRejected(String content) {
    vcard("juliet", name("Juliet", "Capulet") + PUBLIC);
    assertThat(refused("romeo@example.org/o", "set", search(content))).isEqualTo("bad-request");
  }

  @Test
  void whatIsNotASearchIsRejected() {
    assertThat(refused("romeo@example.org/o", "get", "<query xmlns='jabber:iq:version'/>"))
        .isEqualTo("service-unavailable");
    String info = "<query xmlns='http://jabber.org/protocol/disco#%s' node='x'/>";
    assertThat(refused("romeo@example.org/o", "get", info.formatted("info")))
        .isEqualTo("item-not-found");
    assertThat(refused("romeo@example.org/o", "get", info.formatted("items")))
        .isEqualTo("item-not-found");
  }

  @Test
  void linesCannotBeForgedIntoAnEntry() {
    vcard("juliet", name("a&#10;b&#13;&#9;c", "x".repeat(400)));
    DirectoryEntry entry =
        DirectoryEntry.of(
            TestXml.element(
                "<vCard xmlns='vcard-temp'>"
                    + name("a&#10;public&#10;c", "x".repeat(400))
                    + "</vCard>"));
    assertThat(entry).isNotNull();
    DirectoryEntry read = DirectoryEntry.read(Objects.requireNonNull(entry).stored());
    assertThat(read).isEqualTo(entry);
    assertThat(entry.isPublic()).isFalse();
    assertThat(entry.value(Field.FIRST)).isEqualTo("a public c");
    assertThat(entry.value(Field.LAST)).hasSize(255);
    assertThat(DirectoryEntry.read(new byte[] {'x'})).isNull();
  }
}
