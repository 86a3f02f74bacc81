package im.zonda.bench.documents;

/// A document.
///
/// @param letter its letter in the ids of rows
/// @param title its subject
/// @param date when it was written
/// @param hardware what its figures were measured on
public record Document(String letter, String title, String date, String hardware) {}
