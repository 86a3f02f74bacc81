package im.zonda.console.view;

import im.zonda.http.page.Language;
import java.util.List;

/// Surroundings of the content of all pages.
///
/// @param language of the reader
/// @param title of the page
/// @param label the word that tells servers apart; empty for none
/// @param user who has signed in; empty if no one has
/// @param rail the pages
/// @param token what forms carry to prove where they come from
/// @param query what was searched for
/// @param done what has just been done; empty if nothing
/// @param refresh seconds after which the page is loaded again; 0 if it is not
public record Frame(
    Language language,
    String title,
    String label,
    String user,
    List<Entry> rail,
    String token,
    String query,
    String done,
    int refresh) {
  /// A page in the rail.
  ///
  /// @param heading of the group that begins with the page; empty if none begins
  public record Entry(String heading, String text, String url, boolean current) {}

  /// Copies the list.
  public Frame {
    rail = List.copyOf(rail);
  }

  /// A text in the reader's language.
  public String text(String key, String... values) {
    return language.text(key, values);
  }

  /// The same, loaded again after some seconds.
  public Frame refreshing(int seconds) {
    return new Frame(language, title, label, user, rail, token, query, done, seconds);
  }
}
