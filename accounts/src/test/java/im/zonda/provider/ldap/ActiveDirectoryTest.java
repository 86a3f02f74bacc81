package im.zonda.provider.ldap;

import static im.zonda.provider.ldap.TestDirectory.BASE;
import static im.zonda.provider.ldap.TestDirectory.GROUPS;
import static im.zonda.provider.ldap.TestDirectory.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedModifyRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchEntry;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindResult;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.LdapAccounts.Kind;
import im.zonda.provider.ldap.TestDirectory.Plan;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Active Directory: what it does otherwise, done by an in-memory server.
final class ActiveDirectoryTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-29T00:00:00Z"));
  private static final byte[] GUID = {
    (byte) 0x90,
    0x39,
    0x5f,
    0x19,
    (byte) 0x9a,
    (byte) 0xb5,
    0x1b,
    0x4a,
    (byte) 0x9e,
    (byte) 0x96,
    (byte) 0x86,
    (byte) 0xc6,
    0x6c,
    (byte) 0xb1,
    (byte) 0x8d,
    0x11
  };

  private final Windows windows = new Windows();
  private TestDirectory directory;

  /// Sends members in parts, knows the rule of nested groups if it is asked to, and has its own
  /// codes for binds.
  private static final class Windows extends InMemoryOperationInterceptor {
    private static final int PART = 1_500;

    volatile boolean ranges;
    volatile int shift;
    volatile String inChain = "";
    volatile String code = "";
    volatile String password = "";
    final AtomicInteger parts = new AtomicInteger();

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request)
        throws LDAPException {
      Filter rule = rule(request.getRequest().getFilter());
      if (rule == null) {
        return;
      }
      if (!inChain.isEmpty() && request.getRequest().getScope().equals(SearchScope.BASE)) {
        if (request.getRequest().getBaseDN().equals(inChain)) {
          request.sendSearchEntry(new Entry(inChain));
        }
      } else if (!inChain.isEmpty()) {
        request.sendSearchEntry(new Entry(inChain));
      }
      throw new LDAPException(
          inChain.isEmpty() ? ResultCode.INAPPROPRIATE_MATCHING : ResultCode.SUCCESS);
    }

    private static @Nullable Filter rule(Filter filter) {
      if (Membership.IN_CHAIN.equals(filter.getMatchingRuleID())) {
        return filter;
      }
      for (Filter part : filter.getComponents()) {
        Filter found = rule(part);
        if (found != null) {
          return found;
        }
      }
      return null;
    }

    @Override
    public void processSearchEntry(InMemoryInterceptedSearchEntry result) {
      List<String> wanted = result.getRequest().getAttributeList();
      String range =
          wanted.stream()
              .filter(each -> each.toLowerCase(Locale.ROOT).startsWith("member"))
              .findFirst()
              .orElse("");
      if (!ranges || range.isEmpty()) {
        return;
      }
      Entry sent = Objects.requireNonNull(result.getSearchEntry());
      Entry full = full(sent.getDN());
      String[] members = full.getAttributeValues("member");
      if (members == null) {
        return;
      }
      parts.incrementAndGet();
      int from = range.contains("=") ? Integer.parseInt(range.replaceAll("\\D+", "")) : 0;
      int to = Math.min(members.length, from + PART);
      Entry part = sent.duplicate();
      part.removeAttribute("member");
      part.addAttribute(
          "member;range=" + (from + shift) + "-" + (to == members.length ? "*" : to - 1),
          List.of(members).subList(from, to));
      result.setSearchEntry(part);
    }

    private @Nullable TestDirectory directory;

    private Entry full(String dn) {
      try {
        return Objects.requireNonNull(Objects.requireNonNull(directory).server().getEntry(dn));
      } catch (LDAPException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void processSimpleBindResult(InMemoryInterceptedSimpleBindResult result) {
      if (!code.isEmpty() && !result.getRequest().getBindDN().equals(TestDirectory.SERVICE)) {
        result.setResult(
            new BindResult(
                1,
                ResultCode.INVALID_CREDENTIALS,
                "80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data "
                    + code
                    + ", v2580",
                null,
                null,
                null));
      }
    }

    @Override
    public void processModifyRequest(InMemoryInterceptedModifyRequest request) {
      Modification first = request.getRequest().getModifications().getFirst();
      if (first.getAttributeName().equals("unicodePwd")) {
        password = new String(first.getValueByteArrays()[0], StandardCharsets.UTF_16LE);
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    directory = TestDirectory.start(windows);
    windows.directory = directory;
    user("Romeo", 512);
  }

  @AfterEach
  void stop() {
    directory.close();
  }

  private String user(String name, int control, String... more) throws Exception {
    String dn = "cn=" + name + " M\\, Jr.," + PEOPLE;
    String[] lines = {
      "objectClass: user",
      "sAMAccountName: " + name,
      "userAccountControl: " + control,
      "objectGUID:: " + Base64.getEncoder().encodeToString(GUID),
      "userPassword: montague"
    };
    String[] all = Arrays.copyOf(lines, lines.length + more.length);
    System.arraycopy(more, 0, all, lines.length, more.length);
    directory.add(dn, all);
    return dn;
  }

  private Plan plan() {
    Plan plan = directory.plan();
    plan.kind = Kind.ACTIVE_DIRECTORY;
    return plan;
  }

  private static LdapProvider provider(Plan plan) {
    return LdapProvider.of(plan.settings(), CLOCK, null);
  }

  private static Verdict check(Plan plan, String local, String password) throws Exception {
    try (LdapProvider provider = provider(plan)) {
      return provider.checkPassword(
          new PasswordQuestion("example.org", local, password, null, "PLAIN"));
    }
  }

  private static ProvidedAccount find(Plan plan, String local) throws Exception {
    try (LdapProvider provider = provider(plan)) {
      return ((Verdict.Accepted) provider.find("example.org", local)).account();
    }
  }

  @Test
  void theGuidIsTheIdAsWindowsWritesIt() throws Exception {
    Verdict verdict = check(plan(), "romeo", "montague");
    assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    assertThat(((Verdict.Accepted) verdict).account().id())
        .isEqualTo("195f3990-b59a-4a1b-9e96-86c66cb18d11");
  }

  @Test
  void aGuidOfAnotherLengthIsRefused() throws Exception {
    directory.add(
        "cn=short," + PEOPLE,
        "objectClass: user",
        "sAMAccountName: short",
        "objectGUID:: AAAA",
        "userPassword: x");
    assertThat(check(plan(), "short", "x").toString()).contains("objectGUID has 3 bytes, not 16");
  }

  @Test
  void bitTwoDisablesAndSoDoesTheTime() throws Exception {
    user("paris", 514);
    user("never", 66_048, "accountExpires: 9223372036854775807");
    user("zero", 512, "accountExpires: 0");
    // 2026-11-28 and 2026-11-30.
    user("past", 512, "accountExpires: 134402976000000000");
    user("later", 512, "accountExpires: 134404704000000000");
    assertThat(find(plan(), "paris").disabled()).isTrue();
    assertThat(find(plan(), "past").disabled()).isTrue();
    for (String name : List.of("romeo", "never", "zero", "later")) {
      assertThat(find(plan(), name).disabled()).as(name).isFalse();
    }
  }

  @Test
  void itsCodesAreReasons() throws Exception {
    for (String[] each :
        new String[][] {
          {"52e", "wrong password"},
          {"532", "the password has expired"},
          {"533", "the account is disabled"},
          {"701", "the account has expired"},
          {"773", "the password must be changed first"},
          {"775", "the account is locked"}
        }) {
      windows.code = each[0];
      assertThat(check(plan(), "romeo", "montague")).isEqualTo(new Verdict.Wrong(each[1]));
    }
  }

  @Test
  void membersComeInParts() throws Exception {
    windows.ranges = true;
    directory.add("ou=many," + PEOPLE, "objectClass: organizationalUnit");
    String[] lines = new String[4_002];
    lines[0] = "objectClass: group";
    lines[1] = "cn: all";
    for (int i = 0; i < 4_000; i++) {
      String dn = "cn=u" + i + ",ou=many," + PEOPLE;
      directory.add(dn, "objectClass: user", "sAMAccountName: u" + i);
      lines[i + 2] = "member: " + dn;
    }
    directory.add("cn=all," + GROUPS, lines);
    Plan plan = plan();
    plan.groupBase = GROUPS;
    try (LdapProvider provider = provider(plan)) {
      assertThat(provider.groups("example.org").getFirst().members()).hasSize(4_000);
      assertThat(windows.parts).hasValue(3);
      windows.shift = 1;
      assertThatThrownBy(() -> provider.groups("example.org"))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("wrong range");
    }
  }

  @Test
  void nestedMembershipIsAskedByTheRuleAndWithoutItByLookingUp() throws Exception {
    String romeo = user("mercutio", 512);
    directory.add("ou=elsewhere," + BASE, "objectClass: organizationalUnit");
    directory.add("cn=chat," + GROUPS, "objectClass: group", "member: cn=in,ou=elsewhere," + BASE);
    Plan plan = plan();
    plan.requiredGroup = "cn=chat," + GROUPS;
    windows.inChain = romeo;
    assertThat(find(plan, "mercutio").disabled()).isFalse();
    assertThat(find(plan, "romeo").disabled()).isTrue();
    windows.inChain = "";
    assertThat(find(plan, "mercutio").disabled()).isTrue();
    directory.add("cn=inner," + GROUPS, "objectClass: group", "member: " + romeo);
    directory
        .server()
        .modify(
            "dn: cn=chat," + GROUPS,
            "changetype: modify",
            "add: member",
            "member: cn=inner," + GROUPS);
    assertThat(find(plan, "mercutio").disabled()).isFalse();
  }

  @Test
  void membersByGroupsOfAnotherPlaceAreAskedByTheRule() throws Exception {
    String mercutio = user("mercutio", 512);
    directory.add(
        "cn=chat," + GROUPS,
        "objectClass: group",
        "cn: chat",
        "member: cn=in,ou=elsewhere," + BASE);
    Plan plan = plan();
    plan.groupBase = GROUPS;
    try (LdapProvider provider = provider(plan)) {
      assertThat(provider.groups("example.org").getFirst().members()).isEmpty();
      windows.inChain = mercutio;
      assertThat(provider.groups("example.org").getFirst().members()).containsExactly("mercutio");
    }
  }

  @Test
  void aPasswordIsSetByItsOwnAttribute() throws Exception {
    Plan plan = plan();
    plan.setPassword = true;
    try (LdapProvider provider = provider(plan)) {
      assertThat(provider.setPassword("example.org", "romeo", "rosé")).isTrue();
    }
    assertThat(windows.password).isEqualTo("\"rosé\"");
  }
}
