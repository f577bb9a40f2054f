/* Policy file: what writer and reader share.
 *
 * A policy is a text of lines, each a keyword and its fields, in this order:
 *
 *   glimpse-policy 1
 *   version 0.1.0
 *   model tiger                                      to the end of the line; control bytes and \ as \x0a
 *   digest 0123456789abcdef                          glimpse_model_digest
 *   states 2 tiger-left tiger-right                  how many and, where there are any, their names
 *   actions 3 listen open-left open-right
 *   observations 2 hear-left hear-right
 *   start tiger-left:0.5 tiger-right:0.5
 *   lower 19.3                                       the certificate; "-inf", "inf": none
 *   upper 19.4
 *   requests 0
 *   nodes 5
 *   node 0 do listen hear-left:1 hear-right:2        from 0 on, each in its turn
 *   node 1 ask tiger-left:3 tiger-right:4
 *   ...
 *   ceiling 1                                        points, or "none"
 *   corner tiger-left 20 9 -100                      per state in its turn: a number per action
 *   point tiger-left:0.25 tiger-right:0.75 = 19 18 17
 *   checksum 0123456789abcdef                        FNV-1a of all bytes before this line
 *
 * What has no names goes by its number.  Numbers have the fewest digits that read back exactly, "inf" where there is
 * none. */
#ifndef GLI_POLICY_POLICY_FILE_H
#define GLI_POLICY_POLICY_FILE_H

#include <stddef.h>
#include <stdint.h>

#define GLI_POLICY_FILE_HEAD "glimpse-policy 1"
enum { GLI_POLICY_FILE_TAIL = sizeof "checksum 0123456789abcdef\n" - 1 };

/* The last line, of the hash of all before. */
void gli_policy_file_tail(uint64_t hash, char text[GLI_POLICY_FILE_TAIL + 1]);

#endif
