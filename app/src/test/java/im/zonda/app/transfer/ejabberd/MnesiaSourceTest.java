package im.zonda.app.transfer.ejabberd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Forms that the dump of the real server in `EjabberdSourceTest` does not have.
class MnesiaSourceTest {
  private static final String TABLES =
      """
      {tables,[{passwd,[{record_name,passwd},{attributes,[us,password]}]},
               {roster,[{record_name,roster},
                        {attributes,[usj,us,jid,name,subscription,approved,ask,groups,
                                     askmessage,xs]}]},
               {vcard,[{record_name,vcard},{attributes,[us,vcard]}]},
               {privacy,[{record_name,privacy},{attributes,[us,default,lists]}]},
               {pubsub_node,[{record_name,pubsub_node},
                             {attributes,[nodeid,id,parents,type,owners,options]}]},
               {pubsub_item,[{record_name,pubsub_item},
                             {attributes,[itemid,nodeidx,creation,modification,payload]}]},
               {pubsub_state,[{record_name,pubsub_state},
                              {attributes,[stateid,nodeidx,items,affiliation,
                                           subscriptions]}]},
               {archive_msg,[{record_name,archive_msg},
                             {attributes,[us,id,timestamp,peer,bare_peer,packet,nick,type]}]}]}.
      """;

  @TempDir private Path folder;

  private RecordingReceiver read(String records) throws IOException {
    Path file = folder.resolve("dump");
    Files.write(file, (TABLES + records).getBytes(StandardCharsets.UTF_8));
    try (MnesiaSource source = new MnesiaSource(file, new FakeClock())) {
      return RecordingReceiver.of(source);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String scram(ScramKeys keys, String end) {
    return "{scram,<<\"%s\">>,<<\"%s\">>,<<\"%s\">>,%s}"
        .formatted(base64(keys.storedKey()), base64(keys.serverKey()), base64(keys.salt()), end);
  }

  private static Credentials.Keys keys(ImportedAccount account) {
    return (Credentials.Keys) account.credentials();
  }

  @Test
  void passwordsOfEachVersionAreTaken() throws IOException {
    ScramKeys sha1 = Passwords.derive("capulet", "SHA-1", new byte[] {1, 2}, 4_096);
    ScramKeys sha512 = Passwords.derive("capulet", "SHA-512", new byte[] {3}, 5_000);
    RecordingReceiver read =
        read(
            "{passwd,{<<\"a\">>,<<\"x.example\">>},<<\"plain \\\" 1. \">>}.\n"
                + "{passwd,{\"old\",\"x.example\"},\"older\"}.\n"
                + "{passwd,{<<\"b\">>,<<\"x.example\">>},"
                + scram(sha1, "4096")
                + "}.\n{passwd,{<<\"c\">>,<<\"x.example\">>,sha},"
                + scram(sha1, "sha,4096")
                + "}.\n{passwd,{<<\"d\">>,<<\"x.example\">>,plain},<<>>}.\n"
                + "{passwd,{<<\"c\">>,<<\"x.example\">>,sha512},"
                + scram(sha512, "sha512,5000")
                + "}.\n{passwd,{<<\"e\">>,<<\"x.example\">>},"
                + scram(sha1, "md5,4096")
                + "}.\n{passwd,{<<\"bad/name\">>,<<\"x.example\">>},<<\"p\">>}.");
    assertThat(read.account("a@x.example").credentials())
        .isEqualTo(new Credentials.Password("plain \" 1. "));
    assertThat(read.account("old@x.example").credentials())
        .isEqualTo(new Credentials.Password("older"));
    for (String name : List.of("b", "c")) {
      ImportedAccount account = read.account(name + "@x.example");
      assertThat(
              Passwords.matches(
                  new Account(account.jid(), keys(account).keys(), Instant.EPOCH), "capulet"))
          .isTrue();
    }
    assertThat(keys(read.account("c@x.example")).keys())
        .extracting(ScramKeys::hash)
        .containsExactly("SHA-1", "SHA-512");
    assertThat(read.account("d@x.example").credentials()).isInstanceOf(Credentials.None.class);
    assertThat(read.account("e@x.example").credentials().toString()).contains("unknown hash");
    assertThat(read.reasons()).contains("not a name of an account");
    assertThat(read.omissions).hasSize(1);
  }

  /// Passwords of such a server are kept elsewhere, for instance in a directory.
  @Test
  void accountsWithoutPasswordsAreTaken() throws IOException {
    RecordingReceiver read =
        read(
            """
            {roster,{<<"a">>,<<"x.example">>,{<<"b">>,<<"x.example">>,<<>>}},
                    {<<"a">>,<<"x.example">>},{<<"b">>,<<"x.example">>,<<>>},
                    <<66,195,169>>,none,true,out,[<<"G">>],<<>>,[]}.
            {roster,{<<"a">>,<<"x.example">>,{<<"c">>,<<"x.example">>,<<>>}},
                    {<<"a">>,<<"x.example">>},{<<"c">>,<<"x.example">>,<<>>},
                    <<>>,none,false,in,[],<<"Hello & you">>,[]}.
            """);
    ImportedAccount account = read.account("a@x.example");
    assertThat(account.credentials()).isInstanceOf(Credentials.None.class);
    RosterItem first = account.roster().get(0);
    assertThat(first.name()).isEqualTo("B\u00e9");
    assertThat(first.approved()).isTrue();
    assertThat(first.ask()).isTrue();
    assertThat(String.valueOf(account.roster().get(1).request())).contains("Hello &amp; you");
  }

  @Test
  void aDamagedRecordCostsItselfOnly() throws IOException {
    RecordingReceiver read =
        read(
            """
            {passwd,{<<"a">>,<<"x.example">>},<<"p">>}.
            {passwd,undefined,<<"p">>}.
            {vcard,{<<"a">>,<<"x.example">>},#Ref<0.1.2.3>}.
            {roster,{<<"a">>,<<"x.example">>,none},{<<"a">>,<<"x.example">>},none,
                    <<>>,both,false,none,[],<<>>,[]}.
            {privacy,{<<"a">>,<<"x.example">>},<<"l">>,
                     [{<<"l">>,[{listitem,group,<<"G">>,deny,1,true,false,false,false,false},
                                {listitem,jid,none,deny,2,true,false,false,false,false},
                                {listitem,jid,{<<"e">>,<<"y.example">>,<<>>},deny,2,
                                          false,false,true,false,false},
                                {listitem,jid,{<<>>,<<"z.example">>,<<>>},allow,3,
                                          true,false,false,false,false}]},
                      {<<"m">>,[]}]}.
            {archive_prefs,{<<"a">>,<<"x.example">>},always,[],[]}.
            {caps_features,{<<"a">>,<<"b">>},[]}.
            """
                + "{vcard,{<<\"a\">>,<<\"x.example\">>},<<\""
                + "v".repeat(9 << 20)
                + "\">>}.\n");
    ImportedAccount account = read.account("a@x.example");
    assertThat(account.credentials()).isEqualTo(new Credentials.Password("p"));
    assertThat(account.blocked()).containsExactly(Jid.of("e@y.example"));
    assertThat(read.omissions)
        .extracting(each -> each.what() + ": " + each.why())
        .satisfiesExactly(
            each -> assertThat(each).startsWith("a password: it belongs to no account"),
            each -> assertThat(each).startsWith("the vCard: larger than 8 MiB"),
            each -> assertThat(each).startsWith("1 records of archive_prefs: the archive's"),
            each -> assertThat(each).startsWith("the vCard of a@x.example: "),
            each -> assertThat(each).startsWith("a contact of a@x.example: "),
            each -> assertThat(each).startsWith("a rule of the default privacy list of a@"),
            each -> assertThat(each).endsWith("privacy list of a@x.example: not an address"),
            each -> assertThat(each).startsWith("the privacy list \"m\" of a@x.example: "));
  }

  @Test
  void nodesAreTakenWithTheOldestItemFirst() throws IOException {
    RecordingReceiver read =
        read(
            """
            {pubsub_item,{<<"two">>,7},7,{{1600,2,0},{<<"a">>,<<"x.example">>,<<>>}},
                         {{1600,2,5},{<<"a">>,<<"x.example">>,<<"r">>}},
                         [{xmlel,<<"n">>,[{<<"xmlns">>,<<"u:n">>}],[{xmlcdata,<<"2 < 3">>}]}]}.
            {pubsub_item,{<<"one">>,7},7,{{1600,1,0},{<<"a">>,<<"x.example">>,<<>>}},
                         {{1600,1,0},{<<"a">>,<<"x.example">>,<<>>}},[]}.
            {pubsub_state,{{<<"b">>,<<"x.example">>,<<>>},7},7,[],publish_only,
                          [{subscribed,<<"5">>}]}.
            {pubsub_state,{{<<"a">>,<<"x.example">>,<<>>},8},8,[],owner,[]}.
            {pubsub_node,{{<<"a">>,<<"x.example">>,<<>>},<<"u:n">>},7,[],<<"pep">>,[],
                         [{access_model,open},{max_items,10},{title,<<>>}]}.
            {pubsub_node,{<<"pubsub.x.example">>,<<"news">>},8,[],<<"flat">>,[],[]}.
            {passwd,{<<"a">>,<<"x.example">>},<<"p">>}.
            """);
    ImportedNode node = read.account("a@x.example").nodes().getFirst();
    assertThat(node.name()).isEqualTo("u:n");
    assertThat(node.options())
        .containsEntry("pubsub#access_model", List.of("open"))
        .containsEntry("pubsub#max_items", List.of("10"));
    assertThat(node.items())
        .extracting(each -> each.id() + " " + each.publisher() + " " + each.published())
        .containsExactly(
            "one a@x.example 2020-09-13T12:26:41Z", "two a@x.example 2020-09-13T12:26:42.000005Z");
    assertThat(node.items().get(1).payload()).asString(StandardCharsets.UTF_8).contains("2 &lt; 3");
    assertThat(node.affiliations()).containsEntry(Jid.of("b@x.example"), "publish-only");
    assertThat(node.subscribers()).containsExactly(Jid.of("b@x.example"));
    assertThat(read.reasons()).contains("1 nodes of a publish-subscribe service");
    assertThat(read.omissions).hasSize(1);
  }

  private static String message(int seconds, String body) {
    return """
    {archive_msg,{<<"a">>,<<"x.example">>},<<"1">>,{1600,%d,0},{<<"b">>,<<"x.example">>,<<>>},
                 {<<"b">>,<<"x.example">>,<<>>},
                 {xmlel,<<"message">>,[{<<"from">>,<<"b@x.example/r">>}],
                        [{xmlel,<<"body">>,[],[{xmlcdata,<<"%s">>}]}]},<<>>,chat}.
    """
        .formatted(seconds, body);
  }

  @Test
  void messagesAreSorted() throws IOException {
    RecordingReceiver read =
        read(
            message(3, "three")
                + "{passwd,{<<\"a\">>,<<\"x.example\">>},<<\"p\">>}.\n"
                + message(1, "one. \\n{x}.")
                + message(2, "two")
                + "{archive_msg,{<<\"a\">>,<<\"x.example\">>},<<\"1\">>,none,none,none,none}.\n");
    assertThat(read.messages.getOrDefault(Jid.of("a@x.example"), List.of()))
        .extracting(each -> each.time() + " " + each.with() + " " + each.waiting())
        .containsExactly(
            "2020-09-13T12:26:41Z b@x.example/r false",
            "2020-09-13T12:26:42Z b@x.example/r false",
            "2020-09-13T12:26:43Z b@x.example/r false");
    assertThat(read.reasons()).contains("a message of a@x.example: ");
    assertThat(read.omissions).hasSize(1);
  }

  @Test
  void aDumpWithoutItsEndIsAnError() {
    assertThatThrownBy(() -> read("{passwd,{<<\"a\">>,<<\"x.example\">>},<<\"p. "))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("write the dump again");
    assertThatThrownBy(() -> read("{passwd,{<<\"a\">>,<<\"x.example\">>},1"))
        .isInstanceOf(IOException.class);
  }
}
