package im.zonda.provider.ldap;

import static im.zonda.provider.ldap.TestDirectory.BASE;
import static im.zonda.provider.ldap.TestDirectory.GROUPS;
import static im.zonda.provider.ldap.TestDirectory.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchEntry;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchResult;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindResult;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.provider.ldap.TestDirectory.Plan;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile names and passwords, and a directory that lies.
final class LdapAttackTest {
  private TestDirectory directory;
  private final Liar liar = new Liar();

  /// What the directory does otherwise than a good one, and what it was asked.
  private static final class Liar extends InMemoryOperationInterceptor {
    final List<String> binds = Collections.synchronizedList(new ArrayList<>());
    final List<Filter> searches = Collections.synchronizedList(new ArrayList<>());
    volatile Consumer<InMemoryInterceptedSearchEntry> entry = _ -> {};
    volatile Consumer<InMemoryInterceptedSearchResult> search = _ -> {};
    volatile Consumer<InMemoryInterceptedSimpleBindResult> bind = _ -> {};
    final Map<Long, String> names = new ConcurrentHashMap<>();
    final Set<String> searchers = ConcurrentHashMap.newKeySet();
    volatile Entry again = new Entry("");
    volatile int times;

    @Override
    public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) {
      names.put(request.getConnectionID(), request.getRequest().getBindDN());
      if (!request.getRequest().getBindDN().equals(TestDirectory.SERVICE)) {
        binds.add(request.getRequest().getBindDN());
      }
    }

    @Override
    public void processSimpleBindResult(InMemoryInterceptedSimpleBindResult result) {
      if (!result.getRequest().getBindDN().equals(TestDirectory.SERVICE)) {
        bind.accept(result);
      }
    }

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request)
        throws LDAPException {
      searches.add(request.getRequest().getFilter());
      searchers.add(names.getOrDefault(request.getConnectionID(), "nobody"));
      for (int i = 0; i < times; i++) {
        request.sendSearchEntry(again);
      }
    }

    @Override
    public void processSearchEntry(InMemoryInterceptedSearchEntry result) {
      entry.accept(result);
    }

    @Override
    public void processSearchResult(InMemoryInterceptedSearchResult result) {
      search.accept(result);
    }
  }

  @BeforeEach
  void start() throws Exception {
    directory = TestDirectory.start(liar);
  }

  @AfterEach
  void stop() {
    directory.close();
  }

  private Verdict check(String local, String password) throws Exception {
    return check(directory.plan(), local, password);
  }

  private static Verdict check(Plan plan, String local, String password) throws Exception {
    try (LdapProvider provider = plan.provider()) {
      return provider.checkPassword(
          new PasswordQuestion("example.org", local, password, null, "PLAIN"));
    }
  }

  private static ProvidedAccount accepted(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    return ((Verdict.Accepted) verdict).account();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\0", "\0montague", "montague\0"})
  void noServerIsAskedForAnEmptyPasswordNorForOneThatEnds(String password) throws Exception {
    assertThat(check("romeo", password)).isInstanceOf(Verdict.Wrong.class);
    assertThat(liar.binds).isEmpty();
    assertThat(liar.searches).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "*)(uid=*",
        "romeo)(|(uid=*",
        "rom*",
        "romeo)(!(&(1=0",
        "\\2a",
        "romeo,ou=people",
        "romeo\u0000",
        "ｒｏｍｅｏ",
        "romeo "
      })
  void aNameIsAValueAndNoPartOfAFilter(String name) throws Exception {
    assertThat(check(name, "montague")).isEqualTo(Verdict.UNKNOWN);
    assertThat(liar.binds).isEmpty();
    assertThat(liar.searches)
        .allSatisfy(
            filter -> assertThat(filter.getComponents()[0].getAssertionValue()).isEqualTo(name));
  }

  @Test
  void namesThatLookLikeFiltersAreNamesToo() throws Exception {
    directory.add(
        "cn=a\\, b\\+c\\=\\\"d\\\"," + PEOPLE,
        "objectClass: person",
        "uid: *)(uid=*",
        "userPassword: odd");
    assertThat(accepted(check("*)(uid=*", "odd")).local()).isEqualTo("*)(uid=*");
    assertThat(check("*)(uid=*", "montague")).isInstanceOf(Verdict.Wrong.class);
  }

  @Test
  void anEntryWithoutANameIsNotBound() {
    liar.entry = result -> result.setSearchEntry(new Entry("", copy(result).getAttributes()));
    liar.bind =
        result -> result.setResult(new BindResult(1, ResultCode.SUCCESS, null, null, null, null));
    assertThat(catching("romeo")).contains("without a name");
    assertThat(liar.binds).isEmpty();
  }

  private static Entry copy(InMemoryInterceptedSearchEntry result) {
    return Objects.requireNonNull(result.getSearchEntry()).duplicate();
  }

  /// The reason of a verdict, or the message of the exception.
  private String catching(String local) {
    try {
      return check(local, "not this").toString();
    } catch (Exception e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void nobodySearchesByTheRightsOfAPerson() throws Exception {
    try (LdapProvider provider = directory.plan().provider()) {
      for (String password : List.of("montague", "wrong", "montague")) {
        Verdict _ =
            provider.checkPassword(
                new PasswordQuestion("example.org", "romeo", password, null, "PLAIN"));
        Verdict _ = provider.find("example.org", "juliet");
      }
    }
    assertThat(liar.searchers).containsExactly(TestDirectory.SERVICE);
    assertThat(liar.binds).hasSize(3);
  }

  @Test
  void referralsAreNotFollowed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String[] urls = {"ldap://localhost:" + other.getLocalPort() + "/" + BASE};
      liar.bind =
          result ->
              result.setResult(new BindResult(1, ResultCode.REFERRAL, null, null, urls, null));
      assertThatThrownBy(() -> check("romeo", "montague"))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("refers to another one");
      liar.search =
          result ->
              result.setResult(new LDAPResult(1, ResultCode.REFERRAL, null, null, urls, null));
      assertThatThrownBy(() -> check("romeo", "montague"))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("refers to another one");
      other.setSoTimeout(1);
      assertThatThrownBy(other::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void aServerThatSendsMoreThanTwoEntriesIsLeft() {
    Entry entry = new Entry("uid=x," + PEOPLE);
    entry.addAttribute("uid", "x");
    liar.again = entry;
    liar.times = 1_000;
    assertThatThrownBy(() -> check("romeo", "montague"))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("too many entries");
  }

  @Test
  void aHugeEntryIsNotRead() {
    liar.entry =
        result -> {
          Entry huge = copy(result);
          huge.addAttribute("cn", "x".repeat(Links.ANSWER_BYTES));
          result.setSearchEntry(huge);
        };
    assertThatThrownBy(() -> check("romeo", "montague")).isInstanceOf(ProviderException.class);
  }

  @Test
  void pagesWithoutAnEndAreLeft() throws Exception {
    Plan plan = directory.plan();
    plan.groupBase = GROUPS;
    liar.search =
        result ->
            result.setResult(
                new LDAPResult(
                    1,
                    ResultCode.SUCCESS,
                    null,
                    null,
                    List.of(),
                    List.<Control>of(
                        new SimplePagedResultsControl(0, new ASN1OctetString("more"), false))));
    try (LdapProvider provider = plan.provider()) {
      assertThatThrownBy(() -> provider.groups("example.org"))
          .isInstanceOf(ProviderException.class);
    }
    assertThat(liar.searches).hasSizeLessThan(1_000);
  }

  @Test
  void textsOfAServerAreOneLineAndShort() {
    liar.bind =
        result ->
            result.setResult(
                new BindResult(
                    1,
                    ResultCode.UNWILLING_TO_PERFORM,
                    "a\r\nb\u202e" + "c".repeat(1_000),
                    null,
                    null,
                    null));
    assertThat(catching("romeo"))
        .contains("the directory refuses the account: ", "a  b c")
        .hasSizeLessThan(400);
  }

  @Test
  void aTemporaryFailureIsNoWrongPassword() {
    for (ResultCode code :
        List.of(
            ResultCode.BUSY,
            ResultCode.UNAVAILABLE,
            ResultCode.OTHER,
            ResultCode.CONFIDENTIALITY_REQUIRED,
            ResultCode.STRONG_AUTH_REQUIRED)) {
      liar.bind = result -> result.setResult(new BindResult(1, code, null, null, null, null));
      assertThatThrownBy(() -> check("romeo", "montague"))
          .as(code.getName())
          .isInstanceOf(ProviderException.class);
    }
  }

  @Test
  void someoneElseWithTheSameNameHasAnotherId() throws Exception {
    String first = accepted(check("romeo", "montague")).id();
    directory.server().modifyDN("uid=romeo," + PEOPLE, "uid=rosaline", true);
    assertThat(accepted(check("rosaline", "montague")).id()).isEqualTo(first).isNotNull();
    assertThat(check("romeo", "montague")).isEqualTo(Verdict.UNKNOWN);
    directory.person("romeo", "another");
    assertThat(accepted(check("romeo", "another")).id()).isNotEqualTo(first).isNotNull();
  }

  @Test
  void anIdThatIsNoneIsNotCut() {
    liar.entry =
        result -> {
          Entry entry = copy(result);
          entry.setAttribute("entryUUID", "x".repeat(600));
          result.setSearchEntry(entry);
        };
    assertThat(catching("romeo")).contains("is not usable");
  }

  @Test
  void anEntryOfAnotherNameIsNotTheAccount() throws Exception {
    // Active Directory finds `rómeo` for `romeo`.
    liar.entry =
        result -> {
          Entry entry = copy(result);
          entry.setAttribute("uid", "rómeo");
          result.setSearchEntry(entry);
        };
    assertThat(check("romeo", "montague")).isEqualTo(Verdict.UNKNOWN);
    assertThat(liar.binds).isEmpty();
    liar.entry =
        result -> {
          Entry entry = copy(result);
          entry.setAttribute("uid", "romeo montague");
          result.setSearchEntry(entry);
        };
    assertThat(catching("romeo")).contains("cannot be the local part of an address");
  }

  @Test
  void longTextsAreCut() throws Exception {
    directory.person("long", "x", "displayName: " + "n".repeat(2_000), "mail: " + "m".repeat(600));
    ProvidedAccount account = accepted(check("long", "x"));
    assertThat(account.name()).hasSize(ProvidedAccount.MOST_CHARS);
    assertThat(account.email()).hasSize(ProvidedAccount.MOST_CHARS);
  }
}
