#!/bin/sh
# Accounts by the extauth protocol: Juliet has the password "a:b c", Жюли "né".
while :; do
  set -- $(dd bs=1 count=2 2>/dev/null | od -An -tu1)
  [ $# -eq 2 ] || exit 0
  question=$(dd bs=1 count=$(($1 * 256 + $2)) 2>/dev/null; echo .)
  case ${question%.} in
    'auth:juliet:example.org:a:b c' | 'auth:жюли:example.org:né') printf '\0\2\0\1' ;;
    isuser:juliet:example.org | isuser:жюли:example.org) printf '\0\2\0\1' ;;
    setpass:juliet:example.org:*) printf '\0\2\0\1' ;;
    *) printf '\0\2\0\0' ;;
  esac
done
