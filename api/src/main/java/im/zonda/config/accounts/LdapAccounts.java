package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts of a directory.
public record LdapAccounts(
    @Setting(
            value =
                "servers, such as `ldaps://dc1.example.org` or `ldap://dc2.example.org:389`, the"
                    + " first that answers is used; or one `srv://example.org` for those of DNS; must"
                    + " be set",
            form = Form.URI)
        List<String> servers,
    @Setting("whether connections by `ldap://` are encrypted (StartTLS)") boolean startTls,
    @Setting("PEM file with the authorities that are trusted; without it those of Java")
        @Nullable Path authorities,
    @Setting("kind of directory: `generic`, or `active-directory`") Kind kind,
    @Setting("name (DN) by which the server searches; without one it searches without a name")
        @Nullable String bindDn,
    @Setting(value = "password of that name", form = Form.SECRET) @Nullable String bindPassword,
    @Setting("where people are, such as `ou=people,dc=example,dc=org`; must be set") String base,
    @Setting("what else an entry must be, such as `(objectClass=person)`") String filter,
    @Setting(
            "attribute that is the local part of the address; by kind `uid` or `sAMAccountName`;"
                + " `mail` and `userPrincipalName` are the whole address")
        @Nullable String attribute,
    @Setting("where groups are; without it there are none") @Nullable String groupBase,
    @Setting("what else a group must be, such as `(cn=chat-*)`") String groupFilter,
    @Setting("only members of this group (DN), also of groups in it, may log in")
        @Nullable String requiredGroup,
    @Setting(
            "whether people may change their password in the directory, by the rights of `bind-dn`")
        boolean setPassword,
    @Setting(
            value = "the most connections for searches, and as many again for passwords",
            min = 1,
            max = 256)
        int connections) {
  /// Nothing is set.
  public static final LdapAccounts NONE =
      new LdapAccounts(
          List.of(),
          true,
          null,
          Kind.GENERIC,
          null,
          null,
          "",
          "(objectClass=*)",
          null,
          null,
          "(objectClass=*)",
          null,
          false,
          8);

  /// What a directory is.
  public enum Kind {
    GENERIC,
    ACTIVE_DIRECTORY
  }

  /// Copies the list.
  public LdapAccounts {
    servers = List.copyOf(servers);
  }

  /// Without the password.
  @Override
  public String toString() {
    return "LdapAccounts[servers=" + servers + ", base=" + base + "]";
  }
}
