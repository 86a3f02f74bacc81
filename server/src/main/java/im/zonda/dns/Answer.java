package im.zonda.dns;

import java.util.List;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/// The answer to a question to DNS.
sealed interface Answer {
  /// Whether DNSSEC proves it.
  boolean authentic();

  /// Records of the wanted type.
  ///
  /// @param records at least one, in no particular order
  /// @param owner the name that they belong to, after all aliases
  record Found(List<Record> records, Name owner, boolean authentic) implements Answer {
    /// Copies the list.
    public Found {
      records = List.copyOf(records);
    }
  }

  /// No such record.
  ///
  /// @param nameExists whether the name has records of other types
  record None(boolean nameExists, boolean authentic) implements Answer {}

  /// Unknown.
  ///
  /// @param reason a clause for the administrator
  record Failed(String reason) implements Answer {
    @Override
    public boolean authentic() {
      return false;
    }
  }
}
