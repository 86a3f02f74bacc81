package im.zonda.provider.http;

import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Groups as a service gives them.
final class GivenGroups {
  /// The most groups.
  static final int MOST_GROUPS = 10_000;

  private final String domain;
  private final Set<String> ids = new HashSet<>();

  /// @param domain the domain of the accounts in the groups
  GivenGroups(String domain) {
    this.domain = domain;
  }

  /// Reads groups.
  ///
  /// @param value an array of objects with `id`, `name` and `members`
  /// @throws ProviderException if it is something else, or has an account of another domain
  List<ProvidedGroup> read(@Nullable Object value) throws ProviderException {
    List<?> all = JsonAnswer.array(value, "groups");
    if (all.size() > MOST_GROUPS) {
      throw new ProviderException("there are more than " + MOST_GROUPS + " groups");
    }
    List<ProvidedGroup> groups = new ArrayList<>();
    for (Object each : all) {
      groups.add(group(JsonAnswer.object(each, "groups")));
    }
    return groups;
  }

  private ProvidedGroup group(Map<?, ?> fields) throws ProviderException {
    String id = text(fields, "id");
    if (!ids.add(id)) {
      throw new ProviderException("two groups have the same id");
    }
    Set<String> members = new HashSet<>();
    for (Object member : JsonAnswer.array(fields.get("members"), "members")) {
      members.add(local(JsonAnswer.string(member, "members")));
    }
    return new ProvidedGroup(id, text(fields, "name"), members);
  }

  private static String text(Map<?, ?> fields, String name) throws ProviderException {
    String text = JsonAnswer.string(fields.get(name), name);
    if (text.isEmpty() || text.length() > ProvidedAccount.MOST_CHARS) {
      throw new ProviderException("the " + name + " of a group is empty or too long");
    }
    return text;
  }

  private String local(String address) throws ProviderException {
    try {
      Jid account = Jid.of(address);
      String local = account.local();
      if (local != null && account.isBare() && account.domain().equals(domain)) {
        return local;
      }
    } catch (JidFormatException e) {
      // The same as an account of another domain.
    }
    throw new ProviderException("a member of a group is not an account of " + domain);
  }
}
