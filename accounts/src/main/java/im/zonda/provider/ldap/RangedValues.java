package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import im.zonda.account.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the values of an attribute that Active Directory sends in parts, 1,500 at a time, as
/// `member;range=0-1499` ([MS-ADTS], 3.1.1.3.1.3.3).
///
/// @param dn the entry
/// @param attribute the attribute without its range
/// @param most the most values
record RangedValues(Link link, String dn, String attribute, int most) {
  private static final int PART_BYTES = Groups.ANSWER_BYTES;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(int from, int to, boolean last, String[] values) {}

  /// Whether an entry has only a part of the values.
  static boolean isPartial(Entry entry, String attribute) {
    for (Attribute each : entry.getAttributes()) {
      if (each.getName().toLowerCase(Locale.ROOT).startsWith(prefix(attribute))) {
        return true;
      }
    }
    return false;
  }

  private static String prefix(String attribute) {
    return attribute.toLowerCase(Locale.ROOT) + ";range=";
  }

  /// Reads all values.
  ///
  /// @param first the entry with the first part
  /// @throws ProviderException if the parts do not follow one another
  void read(Entry first, Consumer<String> values)
      throws LDAPException, ProviderException, InterruptedException {
    Part part = part(first);
    int next = 0;
    while (part != null) {
      if (part.from != next || (!part.last && part.to - part.from + 1 != part.values.length)) {
        throw new ProviderException("the server sends a wrong range of " + attribute);
      }
      for (String value : part.values) {
        values.accept(value);
      }
      next += part.values.length;
      if (part.last) {
        return;
      }
      if (next > most || part.values.length == 0) {
        throw new ProviderException("a group has more than " + most + " members");
      }
      Failures.interrupted();
      part = request(next);
    }
    throw new ProviderException("the server sends only a part of " + attribute);
  }

  private @Nullable Part request(int from)
      throws LDAPException, ProviderException, InterruptedException {
    List<SearchResultEntry> found = new ArrayList<>();
    Search.of(
            dn,
            Filter.createPresenceFilter("objectClass"),
            List.of(attribute + ";range=" + from + "-*"))
        .all(link, new Budget(1, PART_BYTES), found::add);
    return found.isEmpty() ? null : part(found.getFirst());
  }

  private @Nullable Part part(Entry entry) throws ProviderException {
    for (Attribute each : entry.getAttributes()) {
      String name = each.getName().toLowerCase(Locale.ROOT);
      if (name.startsWith(prefix(attribute))) {
        String[] bounds = name.substring(prefix(attribute).length()).split("-", -1);
        try {
          boolean last = bounds.length == 2 && bounds[1].equals("*");
          int to = last ? 0 : Integer.parseInt(bounds[bounds.length - 1]);
          return new Part(Integer.parseInt(bounds[0]), to, last, each.getValues());
        } catch (NumberFormatException e) {
          throw new ProviderException("the server sends a wrong range of " + attribute, e);
        }
      }
    }
    return null;
  }
}
