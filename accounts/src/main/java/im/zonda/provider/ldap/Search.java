package im.zonda.provider.ldap;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultListener;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import im.zonda.account.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A search that reads no more than it must. References to other servers are ignored.
///
/// @param base the DN below which it searches
/// @param attributes the attributes that are read
record Search(String base, SearchScope scope, Filter filter, List<String> attributes) {
  private static final int PAGE = 500;
  private static final int SECONDS = 10;

  /// The most pages without entries, of a server that never says that it is done.
  private static final int MOST_EMPTY_PAGES = 100;

  /// A search below a DN.
  static Search below(String base, Filter filter, List<String> attributes) {
    return new Search(base, SearchScope.SUB, filter, attributes);
  }

  /// A search for one entry, if the filter matches it.
  static Search of(String dn, Filter filter, List<String> attributes) {
    return new Search(dn, SearchScope.BASE, filter, attributes);
  }

  /// The first entries, two at most.
  List<SearchResultEntry> two(Link link) throws LDAPException, ProviderException {
    List<SearchResultEntry> found = new ArrayList<>();
    Budget budget = new Budget(2, Links.ANSWER_BYTES);
    try {
      SearchResult _ = run(link, 2, null, budget, found::add);
    } catch (LDAPSearchException e) {
      if (!e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED) || found.size() < 2) {
        throw e;
      }
    }
    return found;
  }

  /// All entries, in pages.
  void all(Link link, Budget budget, Consumer<SearchResultEntry> entries)
      throws LDAPException, ProviderException, InterruptedException {
    ASN1OctetString cookie = null;
    int empty = 0;
    do {
      int[] count = {0};
      SearchResult result =
          run(
              link,
              0,
              new SimplePagedResultsControl(PAGE, cookie, false),
              budget,
              entry -> {
                count[0]++;
                entries.accept(entry);
              });
      SimplePagedResultsControl next = SimplePagedResultsControl.get(result);
      cookie = next == null ? null : next.getCookie();
      empty += count[0] == 0 ? 1 : 0;
      if (empty > MOST_EMPTY_PAGES) {
        throw new ProviderException("the directory sends pages without entries");
      }
      Failures.interrupted();
    } while (cookie != null && cookie.getValueLength() > 0);
  }

  private SearchResult run(
      Link link,
      int size,
      @Nullable Control control,
      Budget budget,
      Consumer<SearchResultEntry> entries)
      throws LDAPException, ProviderException {
    SearchRequest request =
        new SearchRequest(
            new Listener(budget, entries),
            control == null ? null : new Control[] {control},
            base,
            scope,
            DereferencePolicy.NEVER,
            size,
            SECONDS,
            false,
            filter,
            attributes.toArray(String[]::new));
    request.setFollowReferrals(false);
    try {
      return link.connection().search(request);
    } catch (Budget.Exceeded e) {
      link.close();
      budget.check(e);
      throw e;
    }
  }

  private record Listener(Budget budget, Consumer<SearchResultEntry> entries)
      implements SearchResultListener {
    private static final long serialVersionUID = 1;

    @Override
    public void searchEntryReturned(SearchResultEntry entry) {
      budget.take(entry);
      entries.accept(entry);
    }

    @Override
    public void searchReferenceReturned(SearchResultReference reference) {
      // Of another server, which is not asked.
    }
  }
}
